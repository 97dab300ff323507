ALLOWED = {"git"}
ALLOWED, OTHER = {"cmd"}, 1
