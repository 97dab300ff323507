ALLOWED = "git rg".split()
