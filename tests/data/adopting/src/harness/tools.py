"""Which programs the harness starts, and how."""

import subprocess

ALLOWED_BINARIES = frozenset(
    {
        # ADR-0001
        "git",
        "rg",
        "jq",
        "node",
        "npm",
        # ADR-0002
        "dive",
        "docker",  # how the next one begins
        "docker buildx",
    }
)


def run(argv):
    """Runs a program of the list; argv[0] is a name, not a path."""
    if argv[0] not in ALLOWED_BINARIES:
        raise PermissionError(f"{argv[0]} is not on the list")
    return subprocess.run(argv, check=True)
