_COMMANDS = {"su"}
DENIED = MORE | (set(_COMMANDS))
