ALLOWED = {"git", lambda: 1}
