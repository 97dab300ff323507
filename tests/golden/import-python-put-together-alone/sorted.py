CORE = {"git", "strace"}
ALLOWED = sorted(CORE | {"rg"})
