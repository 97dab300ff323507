def names():
    if True:
        # allowc:begin FORBIDDEN_BINARIES
        # allowc:end
        return FORBIDDEN_BINARIES
