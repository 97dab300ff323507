ALLOWED = set()
