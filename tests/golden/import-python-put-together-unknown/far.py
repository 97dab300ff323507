CORE = {"git", "strace"}
BASE = CORE
TOOLS = BASE
ALLOWED = TOOLS | {"rg"}
TOOLS.add("su")
