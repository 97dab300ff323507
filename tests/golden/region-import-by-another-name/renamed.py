from typing import Final as F

# allowc:begin ALLOWED_BINARIES
# allowc:end
