CORE = {"git": "clones"}
ALLOWED = {"rg": "searches", *CORE}
