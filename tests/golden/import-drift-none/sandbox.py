A = {"git", "docker buildx", "git"}
