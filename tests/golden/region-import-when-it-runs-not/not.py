from typing import TYPE_CHECKING

if not TYPE_CHECKING:
    from typing import Final

# allowc:begin ALLOWED_BINARIES
# allowc:end
