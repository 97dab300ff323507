def commands():
    names = ["mount"]
    return names
