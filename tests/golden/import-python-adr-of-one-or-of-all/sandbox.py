ADR = {"git": "ADR-0002"}
TOOLS = {
    # ADR-0001: what all of them have
    "git": "clones",
    "jq": "ADR-0003",
    "rg": "searches, see ADR-0004",
    "fd": "ADR-0005",  # ADR-0006
    "bat": "shows",
}
