ADR = {"git": "ADR-0001"}
ADR["git"] = "ADR-0002"
TOOLS = {"git"}
