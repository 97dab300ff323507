CORE = ["git"]
ALLOWED = CORE + tools.sorted(CORE)
