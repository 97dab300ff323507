COMMANDS: list[NonEmptyStr] = ["git"]
