TOOLS = {"git"}
DENIED = read() or ["su"]
