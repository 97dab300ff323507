ALLOWED = ["git"]
B = [] if NARROW else ALLOWED
B.append("su")
