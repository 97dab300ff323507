BLOCKED = {"su"}
ALLOWED = BLOCKED | {"git"}
