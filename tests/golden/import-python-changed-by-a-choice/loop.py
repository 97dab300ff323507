ALLOWED = ["git"]
for tools in (ALLOWED, OTHER):
    tools.append("su")
