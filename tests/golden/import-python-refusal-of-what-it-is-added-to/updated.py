_COMMANDS = {"su"}
DENIED = {"nc"}
if x:
    policy.DENIED.update(_COMMANDS)
