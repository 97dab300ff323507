import base
TOOLS = {"git"}
DENIED = base.DENIED.union(["su"])
