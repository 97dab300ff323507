ALLOWED = ["git"]
[B] = [ALLOWED]
B.clear()
