CORE = {"git", load()}
ALLOWED = CORE | {"rg"}
