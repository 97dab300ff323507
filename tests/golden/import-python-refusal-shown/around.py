TOOLS = {"git"}
class Denied:
    COMMANDS = ["su"]
