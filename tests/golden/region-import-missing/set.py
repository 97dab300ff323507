# allowc:begin ALLOWED_BINARIES
# allowc:end
