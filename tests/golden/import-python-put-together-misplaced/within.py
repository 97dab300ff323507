CORE = {"git", "strace"}
class Sandbox:
    ALLOWED = CORE | {"rg"}
