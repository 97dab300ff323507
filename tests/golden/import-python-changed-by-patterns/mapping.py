ALLOWED = {"git"}
match x:
    case {"a": 1, **ALLOWED}: pass
