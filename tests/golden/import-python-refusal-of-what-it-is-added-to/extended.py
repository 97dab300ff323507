_COMMANDS = ["su"]
DENIED.extend(_COMMANDS)
