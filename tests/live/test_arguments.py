#!/usr/bin/env python3
"""A filter that looks at arguments, in a running program. Compiles arguments.c, which answers in TAP."""

from __future__ import annotations

import os
import platform
import shlex
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402

FOLDER = Path(__file__).resolve().parent
QUIET = ("-Wno-adr-unchecked", "-Wno-incomplete-group", "-Wno-fixed-condition")


def main() -> int:
    if platform.machine() != "x86_64":
        print("1..0 # SKIP arguments.c is of x86_64")
        return 0
    with suite.scratch() as folder:
        suite.compile_policy(FOLDER / "arguments.allow", folder, *QUIET)
        binary = folder / "arguments"
        suite.run([
            *shlex.split(os.environ.get("CC", "cc")), "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-pthread", "-I", folder,
            FOLDER / "arguments.c", "-o", binary,
        ])  # fmt: skip
        return subprocess.run([binary], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
