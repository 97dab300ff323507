ALLOWED = {"git" if BIG else "jq"}
