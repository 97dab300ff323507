"""The Final list."""

# allowc:begin ALLOWED_BINARIES
# allowc:end
