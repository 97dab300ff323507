import typing

Final = typing.Final
# allowc:begin ALLOWED_BINARIES
# allowc:end
