SUDO = {"su"}
MORE = SUDO | {"jq"}
ALLOWED = MORE | {"git"}
DENIED = {"doas"} | (set() | SUDO)
