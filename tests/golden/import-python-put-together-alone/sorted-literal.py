CORE = {"git", "strace"}
ALLOWED = sorted({"rg"})
