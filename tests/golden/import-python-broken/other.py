ALLOWED = {"git")
