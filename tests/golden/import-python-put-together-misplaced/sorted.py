CORE = {"git", "strace"}
ALLOWED = [sorted(["git", "log"])]
