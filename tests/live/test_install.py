#!/usr/bin/env python3
"""phase7_install_filter() in a running program. Compiles install.c, which answers in TAP."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402

SOURCE = Path(__file__).resolve().parent / "install.c"


def main() -> int:
    with suite.scratch() as folder:
        suite.compile_policy("policies/phase7.allow", folder)
        binary = folder / "install"
        suite.run([
            *shlex.split(os.environ.get("CC", "cc")), "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-pthread", "-I", folder,
            SOURCE, "-o", binary,
        ])  # fmt: skip
        return subprocess.run([binary], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
