COMMANDS: Denied = ["su"]
