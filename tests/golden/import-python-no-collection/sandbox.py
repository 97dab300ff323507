LIMIT = 3
NAME = "git"
OTHER = load()
