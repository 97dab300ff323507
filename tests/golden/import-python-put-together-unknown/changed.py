CORE = {"git", "strace"}
ALLOWED = CORE | {"rg"}
CORE.add("su")
