ALLOWED = ["git"]
for tools in OTHER, ALLOWED: tools.append("su")
