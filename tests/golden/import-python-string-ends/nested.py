A = f"{x["a"]}"
ALLOWED = {"git"}
