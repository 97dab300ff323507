CORE = {"git", "strace"}
ALLOWED = CORE or {"rg"}
