from base import BASE
TOOLS = {"git"}
DENIED = BASE | {"su"}
