ALLOWED = {"git", *OTHER}
