DENIED = {"su"}
COMMANDS = DENIED | {"git"}
