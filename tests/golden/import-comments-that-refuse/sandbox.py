COMMANDS = {
    # Denied
    "gdb",
    # never run in CI, but by hand
    "rg",
}
