ALLOWED = {"git"}
from other import (  # them
    OTHER,
    ALLOWED,
)
