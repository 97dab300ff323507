A = 'from typing import Final
# allowc:begin ALLOWED_BINARIES
# allowc:end
B = """from typing import Final
