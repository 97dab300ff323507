ALLOWED = ["git", 3]
