import typing

if typing.TYPE_CHECKING: from typing import Final

# allowc:begin ALLOWED_BINARIES
# allowc:end
