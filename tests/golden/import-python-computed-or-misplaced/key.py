ALLOWED = {("git", "jq"): "two"}
