ALLOWED = {"git"
