CORE = {"git", "strace"}
ALLOWED: Final = build(CORE, "rg")
