class Other:
    ADR = {"rg": "ADR-0001"}
TOOLS = {"rg"}
