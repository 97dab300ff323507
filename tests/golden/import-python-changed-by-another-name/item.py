FORBIDDEN = {"su": "x"}
print((MORE := FORBIDDEN))
del MORE["su"]
