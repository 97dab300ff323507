ALLOWED = {"git"}
ALLOWED = load()
