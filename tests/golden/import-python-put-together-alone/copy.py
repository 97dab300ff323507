CORE = {"git", "strace"}
ALLOWED = CORE.copy()
ALLOWED.add("rg")
