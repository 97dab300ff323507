ALLOWED = {"git"}
other.ALLOWED = set()
run(ALLOWED={"x"})
if ALLOWED: print(ALLOWED, {ALLOWED: 1})
assert ALLOWED == {"git"} and ALLOWED.copy()
first = sorted(ALLOWED)[0]
cache[ALLOWED, 1] = 2
x, y = ALLOWED, 1
x = y, z = [ALLOWED, 2]
del cache[ALLOWED], other.ALLOWED
for name in ALLOWED: use(name, ALLOWED)
if x in (ALLOWED, y): z = 1
f(ALLOWED, 2).x = 3
def f(x=ALLOWED, y: list = ALLOWED): return [n for n, m in (ALLOWED, 1)]
x: dict[ALLOWED] = 3
with use(ALLOWED) as (x, y), use(ALLOWED) as z: pass
case = ALLOWED
match x:
    case other.ALLOWED | y if y in ALLOWED: use(ALLOWED)
for word in ALLOWED: word.clear()
for letters in (ALLOWED): letters.clear()
for part in f(ALLOWED, 1), other: part.clear()
[pair.clear() for pair in zip(ALLOWED, other)] + [ALLOWED, other]
seen = other or f(ALLOWED)
seen.clear()
found = other if x else x in ALLOWED
found.clear()
getattr(other, "add")(ALLOWED)
