CORE = {"git"}
ALLOWED = {**CORE, "rg": "searches"}
