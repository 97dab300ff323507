CORE = {"git", "strace"}
BASE = CORE
TOOLS = BASE
ALLOWED = TOOLS | {"rg"}
