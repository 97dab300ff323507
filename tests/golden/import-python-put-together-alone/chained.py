CORE = {"git", "strace"}
ALLOWED = TOOLS = {"rg"}
