CORE = {"git", "strace"}
ALLOWED = CORE - {"strace"}
