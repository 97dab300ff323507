ALLOWED = dict([("git", "clones")])
