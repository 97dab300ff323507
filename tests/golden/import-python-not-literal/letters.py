ALLOWED = set("git")
