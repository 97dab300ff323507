CORE = {"git", "strace"}
ALLOWED = {"rg"} if SMALL else CORE
