ALLOWED: set = {"git"}
A = B = ALLOWED
def more():
    c = A
    c |= {"rm"}
