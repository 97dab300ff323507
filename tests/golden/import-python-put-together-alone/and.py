CORE = {"git", "strace"}
ALLOWED = WIDE and CORE
