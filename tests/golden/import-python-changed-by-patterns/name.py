ALLOWED = {"git"}
match x:
    case 1: pass
    case ALLOWED: pass
