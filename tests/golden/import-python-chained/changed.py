TOOLS = COMMANDS = {"su"}
TOOLS.add("git")
