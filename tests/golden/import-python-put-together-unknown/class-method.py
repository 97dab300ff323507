CORE = {"git"}
ALLOWED = set.union(CORE, {"rg"})
