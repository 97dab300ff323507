COMMANDS: "Final[frozenset[Forbidden]]" = frozenset({"nc"})
