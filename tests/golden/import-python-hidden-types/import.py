from tools import (
    frozenset,
)
ALLOWED = frozenset({"git"})
