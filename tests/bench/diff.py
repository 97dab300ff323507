#!/usr/bin/env python3
"""What a comparison costs: two policies with some changes, beside the check of both.

    tests/bench/diff.py [--rounds N] [--rows N]
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
ALLOWC = os.environ.get("ALLOWC", str(ROOT / "build" / "allowc"))
MOST = 3
CHANGES = 1000


def generate(path: Path, rows: int, numbers: range) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write('policy generated\ndecisions "adr"\n')
        for number in range(rows):
            changed = "other" if number in numbers else "cmd"
            file.write(f'allow {changed}{number} adr 0001 because "reason number {number} of many"\n')


def busy(words: list[str], status: int) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    code = subprocess.run([ALLOWC, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if code != status:
        sys.exit(f"bench: allowc {' '.join(words)} has exit status {code}, not {status}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description="what a comparison costs, beside the check of both policies")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rows", type=int, default=100_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="allowc-bench-") as name:
        folder = Path(name)
        (folder / "adr").mkdir()
        (folder / "adr" / "0001-all.md").write_text("# 1. All\n\nStatus: Accepted\n", encoding="utf-8")
        old, new = folder / "old.allow", folder / "new.allow"
        generate(old, options.rows, range(0))
        generate(new, options.rows, range(0, options.rows, max(2, options.rows // (CHANGES // 2))))
        checks, diffs = [], []
        for _ in range(options.rounds):
            checks.append(sum(busy(["check", "-Wno-adr-silent", str(path)], 0) for path in (old, new)))
            diffs.append(busy(["diff", str(old), str(new)], 1))
    check, diff = statistics.median(checks), statistics.median(diffs)
    missed = "  MISSED" if diff / check > MOST else ""
    print(f"{options.rows:,} rows against {options.rows:,}, {CHANGES:,} changes; the processor's time")
    print(f"  {'allowc check of both':36} {check * 1e3:9.1f} ms {1:12.2f}")
    print(f"  {'allowc diff':36} {diff * 1e3:9.1f} ms {diff / check:12.2f}   at most {MOST}{missed}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
