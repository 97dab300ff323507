_COMMANDS = {"su"}
DENIED = MORE | set(sorted(_COMMANDS))
