ALLOWED = {"git"}
MORE = ALLOWED | {"jq"}
MORE.add("rm")
OTHER = ALLOWED
OTHER = other(OTHER)
