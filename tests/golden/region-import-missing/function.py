def names():
    # allowc:begin ALLOWED_BINARIES
    # allowc:end
    return ALLOWED_BINARIES
