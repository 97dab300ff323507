ALLOWED = {"git"} $
