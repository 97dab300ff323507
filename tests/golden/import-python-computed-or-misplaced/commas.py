ALLOWED = frozenset(["git",],)
