ALLOWED = {"git", "a" + "b"}
