ALLOWED = {name for name in NAMES}
