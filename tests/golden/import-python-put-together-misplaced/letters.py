CORE = {"git", "strace"}
ALLOWED = CORE.union("rg")
