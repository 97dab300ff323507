ALLOWED = "git", "rg"
