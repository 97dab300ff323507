_COMMANDS = {"git"}
DENIED = {"git", "su"}
DENIED -= _COMMANDS
DENIED_TOO = MORE.difference(_COMMANDS)
DENIED_ALSO = MORE.union(_COMMANDS) - {"git"}
DENIED.difference_update(_COMMANDS)
DENIED |= _COMMANDS - {"git"}
THIRD |= _COMMANDS
