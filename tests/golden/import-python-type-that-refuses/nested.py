class Tools:
    COMMANDS: Final[Allowed] = ["git"]
