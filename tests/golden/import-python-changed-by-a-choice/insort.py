ALLOWED = ["git"]
bisect.insort(ALLOWED, "su")
