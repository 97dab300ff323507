BLOCKED = {"su"}
ALL = BLOCKED | {"git"}
ALLOWED = [*ALL]
