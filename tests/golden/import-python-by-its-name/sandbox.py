"""
Cmnd_Alias X = /bin/x
prefix_rule(pattern=["x"])
"""
ALLOWED = {"git"}
