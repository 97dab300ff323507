ALLOWED = {("docker", "buildx build")}
