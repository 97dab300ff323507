CORE = {"git", "strace"}
if WIDE: ALLOWED = {"rg"}
