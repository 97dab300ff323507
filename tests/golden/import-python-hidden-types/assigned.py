list = read
ALLOWED = list(["git"])
