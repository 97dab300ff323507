ALLOWED = {"git"}
MORE = ALLOWED
MORE.add("rm")
