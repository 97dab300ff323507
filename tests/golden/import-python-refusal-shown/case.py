TOOLS = {"git"}
match SYSTEM:
    case "linux": DENIED = {"su"}
