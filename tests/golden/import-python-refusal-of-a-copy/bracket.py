_COMMANDS = {"su"}
DENIED = (set(_COMMANDS) | MORE)
