ADR = {"jq": "ADR-0001"}
ADR.update(jq="ADR-0002")
TOOLS = {"jq"}
