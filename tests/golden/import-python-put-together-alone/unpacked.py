CORE = {"git", "strace"}
ALLOWED, LIMIT = {"rg"}, 3
