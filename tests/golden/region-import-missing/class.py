def first():
    pass


class Tools:
    # allowc:begin ALLOWED_BINARIES
    # allowc:end
