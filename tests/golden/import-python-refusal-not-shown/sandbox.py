import os
TOOLS = {"git"}
NO_COLOR = os.environ["NO_COLOR"]
BLOCK = 4096
DENIED = load("denied.txt")
NOT_THERE = "git" not in {"su"}
DENIED_TEXT = "no such tool"
def check(commands):
    denied = []
    refused = [c for c in commands if c in {"su"}]
    blocked = set(commands) - TOOLS
    case = {"su"}
    return denied + refused, blocked
