ALLOWED, LIMIT = {"rg"}, 3
