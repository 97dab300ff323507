#!/usr/bin/env python3
"""What a check of many small policies costs, beside cat of the same files.

    tests/bench/many.py [--rounds N] [--policies N] [--adrs N]
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
ALLOWC = os.environ.get("ALLOWC", str(ROOT / "build" / "allowc"))
MOST = 3
LAYERS, SHARED = 5, 50  # the layers below, and the ADRs that they cite


def record(number: int) -> str:
    return (
        f"# {number}. Programs of part {number}\n\n## Status\n\nAccepted\n\nDate: 2026-05-19\n\n## Context\n\n"
        f"The part starts programs.\n\n## Decision\n\n`tool{number}` and `prog{number}` may run, and `CAP_SYS_PTRACE` "
        "is granted to nobody.\n\n## Consequences\n\nThe build image has them.\n"
    )


def generate(folder: Path, policies: int, adrs: int) -> None:
    for name in ("base", "app"):
        (folder / "adr" / name).mkdir(parents=True)
    for number in range(1, adrs + 1):
        scope = "base" if number <= SHARED else "app"
        (folder / "adr" / scope / f"{number:04d}-part.md").write_text(record(number), encoding="utf-8")
    for layer in range(LAYERS):
        text = f"policy layer{layer}\n"
        text += f"extends layer{layer - 1}\n" if layer else 'decisions base "adr/base"\ndecisions app "adr/app"\n'
        text += "" if layer else 'forbid CAP_SYS_PTRACE  adr base/1  because "no part is granted it"\n'
        for number in range(layer * 10 + 1, layer * 10 + 11):
            text += f'allow tool{number}  adr base/{number}  because "part {number}"\n'
        (folder / f"layer{layer}.allow").write_text(text, encoding="utf-8")
    for policy in range(policies):
        number = SHARED + 1 + policy % (adrs - SHARED)
        text = f"policy p{policy}\nextends layer{policy % LAYERS}\n\n"
        for name in ("tool", "prog"):
            text += f'allow {name}{number}  adr app/{number}  because "part {number}"\n'
        (folder / f"p{policy}.allow").write_text(text, encoding="utf-8")


def spent(words: list[str], folder: Path) -> tuple[float, float]:
    """The time on the clock, and that of all processors."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    clock, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode or done.stderr:
        sys.exit(f"bench: {words[0]} has exit status {done.returncode}: {done.stderr.decode()[:400]}")
    return clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description="what a check of many policies costs, beside cat of the same files")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--policies", type=int, default=10_000)
    parser.add_argument("--adrs", type=int, default=5_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="allowc-bench-") as name:
        folder = Path(name)
        generate(folder, options.policies, options.adrs)
        policies = sorted(path.name for path in folder.glob("p*.allow"))
        files = policies + sorted(str(path.relative_to(folder)) for path in folder.glob("**/*.md"))
        files += [path.name for path in folder.glob("layer*.allow")]
        reads, checks = [], []
        for _ in range(options.rounds):
            reads.append(spent(["cat", *files], folder))
            checks.append(spent([ALLOWC, "check", *policies], folder))
    print(f"{options.policies:,} policies above {LAYERS} layers, {options.adrs:,} ADRs, in one run")
    (read, read_cpu), (check, check_cpu) = ([statistics.median(column) for column in zip(*runs)] for runs in (reads, checks))
    missed = "  MISSED" if check / read > MOST else ""
    print(f"  {'cat of all files':36} {read * 1e3:9.1f} ms {1:12.2f}   processors' time {read_cpu * 1e3:8.1f} ms")
    print(f"  {'allowc check':36} {check * 1e3:9.1f} ms {check / read:12.2f}   at most {MOST}{missed}"
          f"   processors' time {check_cpu * 1e3:8.1f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
