#!/usr/bin/env python3
"""Curves: each case of tests/growth.py with n and 4n rows, processor time and memory, and what each grew by.

    tests/bench/growth.py [--rows N] [CASE...]

In proportion is 4. A case that grew more than 6-fold, and took long enough to tell, is marked; the exit status stays 0.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import growth  # noqa: E402
import suite  # noqa: E402

QUIET = [(os.POSIX_SPAWN_OPEN, descriptor, os.devnull, os.O_RDWR, 0) for descriptor in (0, 1, 2)]
TOO_MUCH, TOO_SHORT = 6, 0.1


def measure(case: growth.Case) -> tuple[float, int]:
    """Seconds of the processor, KiB of memory."""
    files, words = case
    with tempfile.TemporaryDirectory(prefix="allowc-") as folder:
        growth.write(files, Path(folder))
        os.chdir(folder)
        child = os.posix_spawn(suite.ALLOWC, [suite.ALLOWC, *words], os.environ, file_actions=QUIET)
        _, status, usage = os.wait4(child, 0)
        os.chdir(suite.ROOT)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit(f"bench: exit status {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--rows", type=int, default=2500)
    parser.add_argument("cases", nargs="*", metavar="CASE", default=list(growth.CASES))
    options = parser.parse_args()
    print(f"growth from {options.rows:,} to {4 * options.rows:,}")
    for name in options.cases:
        (one, small), (four, large) = (measure(growth.CASES[name](options.rows * factor)) for factor in (1, 4))
        mark = "   MISSED" if four > TOO_SHORT and four / one > TOO_MUCH else ""
        print(f"  {name:52} {one:7.3f} s {four:7.3f} s {four / one:5.1f}   {large / 1024:6.1f} MB "
              f"{large / small:4.1f}{mark}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
