TOOLS = {"git"}
def check(command):
    denied = ("su",)
    return command not in denied
