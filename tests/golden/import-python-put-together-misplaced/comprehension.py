CORE = {"git", "strace"}
ALLOWED = {name for name in CORE}
