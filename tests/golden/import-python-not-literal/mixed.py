ALLOWED = {"git": "x", "rg"}
