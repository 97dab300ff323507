FORBIDDEN = {"git": "x"}
FORBIDDEN["rg"] = "y"
