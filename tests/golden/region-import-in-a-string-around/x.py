"""A module that shows how it is done:

from typing import Final

# allowc:begin ALLOWED_BINARIES
# allowc:end
"""
