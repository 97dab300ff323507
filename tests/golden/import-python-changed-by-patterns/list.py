ALLOWED = {"git"}
match x:
    case [ALLOWED, *rest]: pass
