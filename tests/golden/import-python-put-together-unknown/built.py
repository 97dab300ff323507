CORE = {"git", "strace"}
ALLOWED = build(CORE)
