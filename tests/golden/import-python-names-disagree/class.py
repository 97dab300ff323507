class Forbidden:
    ALLOWED = {"strace"}
