from typing import Final as Final

# allowc:begin ALLOWED_BINARIES
# allowc:end
