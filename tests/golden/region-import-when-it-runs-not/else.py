TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
else:
    Mapping = dict
from typing import Final

SAYS = """a Final "word" of this""", "\"", ''

# allowc:begin ALLOWED_BINARIES
# allowc:end
