CORE = {"git", "strace"}
ALLOWED = frozenset(name for name in CORE if name)
