COMMANDS = {"mount"}
