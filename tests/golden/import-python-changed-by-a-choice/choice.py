ALLOWED = ["git"]
B = ALLOWED if WIDE else []
B.append("su")
