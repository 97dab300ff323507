ALLOWED_BINARIES = frozenset({"git"})
