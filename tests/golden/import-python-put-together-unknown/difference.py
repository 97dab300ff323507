CORE = {"git", "strace"}
ALLOWED = CORE.difference({"strace"})
