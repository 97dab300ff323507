ALLOWED = {"git"}
