from types import MappingProxyType
# Final, Mapping
# allowc:begin FORBIDDEN_BINARIES
# allowc:end
