class Forbidden:
    COMMANDS: Allowed = ["git"]
