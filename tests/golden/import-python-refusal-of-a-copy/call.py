_COMMANDS = {"su"}
BLOCKED = frozenset(_COMMANDS)
