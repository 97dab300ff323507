ALLOWED = {"git}
