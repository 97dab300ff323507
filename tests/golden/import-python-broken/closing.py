ALLOWED = {"git"}}
