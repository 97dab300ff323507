ALLOWED = {"git", OTHER}
