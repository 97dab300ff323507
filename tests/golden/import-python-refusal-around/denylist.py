COMMANDS = {"su"}
