ALLOWED: set = {"git"}
ALLOWED: set = {"rg"}
