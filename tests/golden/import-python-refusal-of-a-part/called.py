SUDO = {"su"}
BLOCKED = SUDO
ALLOWED = ["git", *SUDO]
