CORE = {"git"}
ALLOWED = CORE - {"strace"} | {"rg"}
