FORBIDDEN = {"git": "x"}
del FORBIDDEN["git"]
