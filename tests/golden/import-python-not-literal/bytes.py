ALLOWED = {b"git"}
