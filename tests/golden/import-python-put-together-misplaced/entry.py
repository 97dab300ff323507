CORE = {"git", "strace"}
ALLOWED = ["rg", CORE]
