_COMMANDS = {"su"}
MORE = {"nc"}
DENIED = set(MORE) | frozenset(_COMMANDS)
