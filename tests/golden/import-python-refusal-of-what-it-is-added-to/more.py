_COMMANDS = ["su"]
self.denied += (_COMMANDS)
