ALLOWED = {"git"}
MORE: set[str] = ALLOWED
MORE.add("rm")
