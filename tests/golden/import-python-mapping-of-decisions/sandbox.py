COMMANDS = {
    "git": "allow",
    "su": "deny",
    "nc": "NOT_ALLOWED",
    "gdb": "declined",
    "jq": "not the network's",
}
