ALLOWED = ["git"]
B = (OTHER or ALLOWED)
B += ["su"]
