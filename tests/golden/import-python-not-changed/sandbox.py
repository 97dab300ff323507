ALLOWED = {"git"}
other.ALLOWED = set()
run(ALLOWED={"x"})
if ALLOWED: print(ALLOWED, {ALLOWED: 1})
assert ALLOWED == {"git"} and ALLOWED.copy()
first = sorted(ALLOWED)[0]
