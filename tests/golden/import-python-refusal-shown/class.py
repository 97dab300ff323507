TOOLS = {"git"}
class Policy:
    DENIED = {"su"}
