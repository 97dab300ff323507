ALLOWED = {"git"}
for (name, [ALLOWED]) in names: pass
