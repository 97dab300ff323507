# allowc:begin ALLOWED_BINARIES
# allowc:end
from typing import Final
