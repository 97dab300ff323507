#!/usr/bin/env python3
"""Time grows as the text does, in each way in which a policy can be large: instructions are counted, so no noise.

Each case of tests/growth.py but those that search for near names runs with n, 2n and 4n. Of what grows in proportion
the second difference is twice the first; of squares it is four times that.
"""

from __future__ import annotations

import re
import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import growth  # noqa: E402
import suite  # noqa: E402

SMALLEST = 192
MOST = 2.8
COUNT = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
COLLECTED = re.compile(r"Collected : (\d+)")


def instructions(case: growth.Case, status: int) -> int:
    files, words = case
    with suite.scratch() as folder:
        growth.write(files, folder)
        done = suite.run([*COUNT, suite.ALLOWC, *words], expect=None, cwd=folder)
    found = COLLECTED.search(done.stderr)
    if not found or done.returncode != status:
        suite.fail(f"exit status {done.returncode}, not {status}: {done.stderr[-500:]}")
    return int(found[1])


def grows_as_its_text(name: str) -> None:
    suite.need("valgrind")
    make, status = growth.CASES[name], int(name in growth.FAILING)
    one, two, four = (instructions(make(SMALLEST * factor), status) for factor in (1, 2, 4))
    ratio = (four - two) / max(two - one, 1)
    if ratio > MOST:
        suite.fail(f"{one:,}, {two:,} and {four:,} instructions: {ratio:.2f} times, at most {MOST}")


def main() -> int:
    tests = [(name, partial(grows_as_its_text, name)) for name in growth.CASES
             if name not in growth.SEARCHES]  # fmt: skip
    return suite.main(tests, jobs=2)


if __name__ == "__main__":
    sys.exit(main())
