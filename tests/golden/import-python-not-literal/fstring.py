ALLOWED = {"git", f"{x}"}
