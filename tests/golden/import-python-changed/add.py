ALLOWED = {"git"}
if WINDOWS:
    ALLOWED.add("cmd")
