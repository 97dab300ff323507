ALLOWED = {"git"}
print(ALLOWED := {"cmd"})
