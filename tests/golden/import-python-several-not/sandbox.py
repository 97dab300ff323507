COMMANDS = {"git", "rg"}
TEXT = ", ".join(sorted(COMMANDS))
SHOWN = sorted(COMMANDS)
OTHERS = COMMANDS
AGAIN = COMMANDS.copy()
FIRST = 1 if COMMANDS else 0
GIT = "git" in COMMANDS
NO_GIT = "git" not in COMMANDS | MORE
BOTH = COMMANDS < OTHERS
HERE, THERE = (80, 25)
COUNT = len(COMMANDS) + 1
PATTERN = re.compile("|".join(COMMANDS))
def f(COMMANDS, ALLOWED=COMMANDS): missing = COMMANDS - installed()
if __name__ == "__main__": print(COMMANDS)
