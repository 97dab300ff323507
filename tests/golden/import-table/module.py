[deny]
tools = ["rm"]
