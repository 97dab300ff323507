ALLOWED = {"git", "jq"}
