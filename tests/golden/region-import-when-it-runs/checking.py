from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Final

# allowc:begin ALLOWED_BINARIES
# allowc:end
