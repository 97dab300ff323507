TOOLS = ["git", "!rm"]
