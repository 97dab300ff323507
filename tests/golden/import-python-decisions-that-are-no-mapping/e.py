ADR = {"git"}
ALLOWED_BINARIES = frozenset({"git"})
FORBIDDEN_BINARIES = frozenset()
DECLINED_BINARIES = frozenset()
