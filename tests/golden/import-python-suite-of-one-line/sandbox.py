if STRICT:
    pass
else: FORBIDDEN: set = {"strace"}
