ALLOWED = {"git", "strace"}
