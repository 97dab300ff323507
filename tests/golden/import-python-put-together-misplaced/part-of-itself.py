CORE = {"git", "strace"}
ALLOWED = ALLOWED | CORE
