ALLOWED = {"git"}
MORE = {"jq"}
class C: pass
C.one, two = ALLOWED, MORE
C.one.add("su")
