_COMMANDS = {"su"}
DENIED = [*MORE] + sorted(_COMMANDS)
