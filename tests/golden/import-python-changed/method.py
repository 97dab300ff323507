ALLOWED = {"git", "su"}
list(map(ALLOWED.discard, ["su"]))
