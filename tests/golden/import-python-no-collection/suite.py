if STRICT:
    pass
else: FORBIDDEN = {"strace"}
