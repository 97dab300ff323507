ALLOWED = frozenset(loaded({"git"}))
