CORE = ["git"]
ALLOWED = CORE + ["rg"]
