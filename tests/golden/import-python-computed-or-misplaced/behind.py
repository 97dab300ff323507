ALLOWED = frozenset(["git"] "jq")
