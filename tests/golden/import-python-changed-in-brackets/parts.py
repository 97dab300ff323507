ALLOWED = {"git", "su"}
FIRST, SECOND = OTHER, ALLOWED
FIRST.clear()
SECOND.discard("su")
