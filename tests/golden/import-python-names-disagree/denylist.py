class Allowed:
    COMMANDS = {"strace"}
