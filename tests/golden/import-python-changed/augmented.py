ALLOWED = {"git"}
if WINDOWS: ALLOWED |= {"cmd"}
