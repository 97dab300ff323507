import tools as set
ALLOWED = set(["git"])
