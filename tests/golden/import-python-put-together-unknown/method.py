CORE = {"git", "strace"}
ALLOWED = CORE.union(MORE)
