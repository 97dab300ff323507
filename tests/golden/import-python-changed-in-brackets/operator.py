from operator import delitem

ALLOWED = ["git", "su"]
delitem((ALLOWED), 1)
