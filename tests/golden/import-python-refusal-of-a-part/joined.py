SUDO = {"su"}
DENIED = SUDO | {"doas"}
ALLOWED = {"git"} | SUDO
