ADR = 7
ALLOWED_BINARIES = frozenset({"git"})
FORBIDDEN_BINARIES = frozenset()
DECLINED_BINARIES = frozenset()
