def sorted(names):
    return names[1:]
CORE = {"git"}
ALLOWED = sorted(CORE) + ["jq"]
