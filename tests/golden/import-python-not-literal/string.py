ALLOWED = ("git")
