_COMMANDS = {"su"}
DENIED = MORE | _COMMANDS.copy()
