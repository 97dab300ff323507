CORE = {"git", "strace"}
from tools import MORE
ALLOWED = MORE | CORE
