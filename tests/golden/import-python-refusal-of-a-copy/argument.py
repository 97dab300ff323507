_COMMANDS = {"su"}
policy = Policy(denied=_COMMANDS, allowed=OTHER)
