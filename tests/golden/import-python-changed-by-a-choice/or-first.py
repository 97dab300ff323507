ALLOWED = ["git"]
B = ALLOWED or OTHER
B += ["su"]
