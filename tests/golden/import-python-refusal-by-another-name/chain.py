TOOLS = ["su"]
MORE = TOOLS
class Shell:
    DENIED: list[str] = MORE
