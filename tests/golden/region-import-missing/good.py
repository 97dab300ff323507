from collections.abc import (
    Mapping,
)
from types import MappingProxyType
from typing import Final

# allowc:begin FORBIDDEN_BINARIES
# allowc:end
