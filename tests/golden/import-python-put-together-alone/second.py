CORE = {"git", "strace"}
ALLOWED = MORE | CORE
