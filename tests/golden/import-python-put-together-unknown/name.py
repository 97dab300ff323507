CORE = {"git", "strace"}
from tools import MORE
ALLOWED = CORE | MORE
