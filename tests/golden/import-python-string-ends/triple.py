A = rf"""{x["""
ALLOWED = {"rm"}
"""]}"""
