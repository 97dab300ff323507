ALLOWED = {"git"}.union(OTHER)
