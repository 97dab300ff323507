SUDO = {"su"}
ALL = SUDO | {"git"}
ALLOWED = {"git"}
DENIED = ALL - ALLOWED
