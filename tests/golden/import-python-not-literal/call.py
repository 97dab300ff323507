ALLOWED = frozenset(sorted({"git"}))
