"""Tools.

More of them.
"""

from __future__ import annotations

# allowc:begin ALLOWED_BINARIES
# allowc:end
