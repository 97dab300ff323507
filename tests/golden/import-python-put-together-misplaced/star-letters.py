CORE = {"git", "strace"}
ALLOWED = {*CORE, *"rg"}
