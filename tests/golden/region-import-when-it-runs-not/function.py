def names():
    # allowc:begin FORBIDDEN_BINARIES
    # allowc:end
    return FORBIDDEN_BINARIES


from types import MappingProxyType
