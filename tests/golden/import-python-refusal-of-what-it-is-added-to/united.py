_COMMANDS = {"su"}
MORE = {"nc"}
DENIED = MORE.union(_COMMANDS)
