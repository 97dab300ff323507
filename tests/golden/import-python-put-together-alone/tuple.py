CORE = {"git", "strace"}
ALLOWED = "git", "rg"
