ALLOWED = {"git"}
match x:
    case Point(x=0, y=(ALLOWED | None)) if x: pass
