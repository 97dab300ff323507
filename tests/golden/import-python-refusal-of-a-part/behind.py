SUDO = {"su"}
ALLOWED = {"git"} | SUDO
DENIED = {"doas"}.union(SUDO)
