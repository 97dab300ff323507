# Denied
TOOLS = {"gdb"}
