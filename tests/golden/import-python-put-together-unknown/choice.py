CORE = {"git", "strace"}
ALLOWED = CORE if SMALL else {"rg"}
