ALLOWED = {"git"} | EXTRA
