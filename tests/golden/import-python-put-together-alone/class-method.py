CORE = {"git", "strace"}
ALLOWED = set.union(CORE, {"rg"})
