TOOLS = {
    "git": "ADR-0001",
    "jq": "ADR-0002: cuts reports",
    "rg": "ADR-0001, as ADR-0002 says",
    "fd": "finds 2 files",  # ADR-0003
    # ADR-0004
    "npm": "as before ADR-0001",
}
