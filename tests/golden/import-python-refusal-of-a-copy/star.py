_COMMANDS = {"su"}
DENIED: set[str] = {*_COMMANDS, "nc"}
