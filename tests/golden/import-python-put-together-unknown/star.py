CORE = {"git", "strace"}
ALLOWED = {*CORE, *MORE}
