CORE = {"git", "strace"}
ALLOWED = CORE
if WIDE: ALLOWED = {"rg"}
