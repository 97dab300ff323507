import typing

LIMIT: typing.Final = 30
# allowc:begin ALLOWED_BINARIES
# allowc:end
