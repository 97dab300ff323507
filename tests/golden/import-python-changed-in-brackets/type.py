ALLOWED = ["git", "su"]
list.remove(ALLOWED, "su")
