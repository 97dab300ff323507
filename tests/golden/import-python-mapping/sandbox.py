import types

ALLOWED = ("git", ("docker", "buildx"), ["npm", "ci"])
TIMEOUTS = {"git": 5}
FORBIDDEN_BINARIES = types.MappingProxyType({
    "strace": "tracing belongs to the host",  # ADR-0015
    "su": ("needs "
           "root"),
    "nc": "",
})
