ALLOWED = [["git", "status"]]
ALLOWED[0][1] = "push"
