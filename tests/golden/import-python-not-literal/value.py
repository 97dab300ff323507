ALLOWED = {"git": 5}
