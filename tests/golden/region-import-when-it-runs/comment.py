from typing import TYPE_CHECKING

if TYPE_CHECKING:  # what is not there when it runs
    from typing import Final

# allowc:begin ALLOWED_BINARIES
# allowc:end
