ALLOWED = {"git"}
from other import ALLOWED
