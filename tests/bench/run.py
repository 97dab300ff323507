#!/usr/bin/env python3
"""How fast allowc is: every figure a ratio, or beside a peer that ran in turns with it.

    tests/bench/run.py [--rounds N] [--rows N]

The machine's own speed drops out: the programs of a table run in turns, and their medians are compared.
A target that is missed is marked; the exit status stays 0, for a busy machine proves nothing.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable

ROOT = Path(__file__).resolve().parent.parent.parent
ALLOWC = os.environ.get("ALLOWC", str(ROOT / "build" / "allowc"))
QUIET = [(os.POSIX_SPAWN_OPEN, descriptor, os.devnull, os.O_RDWR, 0) for descriptor in (0, 1, 2)]


def nothing() -> None:
    pass


@dataclasses.dataclass
class Contender:
    name: str
    words: list[str]
    before: Callable[[], None] = nothing  # not timed
    seconds: list[float] = dataclasses.field(default_factory=list)

    def median(self) -> float:
        return statistics.median(self.seconds)


def run_once(contender: Contender) -> None:
    contender.before()
    start = time.perf_counter()
    child = os.posix_spawn(contender.words[0], contender.words, os.environ, file_actions=QUIET)
    _, status = os.waitpid(child, 0)
    contender.seconds.append(time.perf_counter() - start)
    if status != 0:
        code = os.waitstatus_to_exitcode(status)
        sys.exit(f"bench: {' '.join(contender.words)} failed (exit status {code})")


def race(contenders: list[Contender], rounds: int) -> None:
    """In turns, after one round that warms the caches and is not counted."""
    for number in range(rounds + 1):
        for contender in contenders:
            run_once(contender)
            if number == 0:
                contender.seconds.clear()


def line(name: str, value: str, ratio: str, target: str = "", missed: bool = False) -> None:
    print(f"  {name:36} {value:>12} {ratio:>12}   {target}{'   MISSED' if missed else ''}")


def start_up(folder: Path, rounds: int) -> None:
    """A small policy, in total, beside a program that does nothing."""
    policy, out = str(ROOT / "policies" / "phase7.allow"), folder / "out"
    true = Contender("/bin/true", ["/bin/true"])
    unchanged = Contender("allowc, nothing changed", [ALLOWC, "-o", str(folder / "same"), policy])
    written = Contender("allowc, all written", [ALLOWC, "-o", str(out), policy],
                        lambda: shutil.rmtree(out, ignore_errors=True))  # fmt: skip
    race([true, unchanged, written], rounds)
    print("phase7.allow in total")
    line(true.name, f"{true.median() * 1e3:.2f} ms", "1.00")
    for contender, most in ((unchanged, 2), (written, 4)):
        ratio = contender.median() / true.median()
        value = f"{contender.median() * 1e3:.2f} ms"
        line(contender.name, value, f"{ratio:.2f}", f"at most {most}", ratio > most)


def generate(path: Path, rows: int) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write("policy generated\n")
        for number in range(rows):
            file.write(f'allow cmd{number} adr 0001 because "reason number {number} of many"\n')


def rows_race(folder: Path, rows: int, rounds: int) -> float:
    """One size of policy beside `wc -l`. Returns the median of `check`."""
    policy, out = folder / f"{rows}" / "generated.allow", folder / f"{rows}" / "out"
    policy.parent.mkdir()
    generate(policy, rows)
    count = Contender("wc -l", [shutil.which("wc") or "/usr/bin/wc", "-l", str(policy)])
    check = Contender("allowc check", [ALLOWC, "check", str(policy)])
    compile_all = Contender("allowc, all artifacts written", [ALLOWC, "-o", str(out), str(policy)],
                            lambda: shutil.rmtree(out, ignore_errors=True))  # fmt: skip
    race([count, check, compile_all], rounds)
    print(f"{rows:,} rows, {policy.stat().st_size / 1e6:.1f} MB")
    for contender, most in ((count, 0), (check, 2), (compile_all, 4)):
        micro = contender.median() / rows * 1e6
        ratio = contender.median() / count.median()
        target = f"at most {most} µs a row" if most else ""
        line(contender.name, f"{micro:.3f} µs a row", f"{ratio:.1f}", target, bool(most) and micro > most)
    return check.median()


def main() -> int:
    parser = argparse.ArgumentParser(description="how fast allowc is, beside its peers")
    parser.add_argument("--rounds", type=int, default=200, help="of the small policy; the large have fewer")
    parser.add_argument("--rows", type=int, default=100_000)
    options = parser.parse_args()
    print(f"  {'':36} {'median':>12} {'ratio':>12}   target")
    with tempfile.TemporaryDirectory(prefix="allowc-bench-") as name:
        folder = Path(name)
        start_up(folder, options.rounds)
        few = rows_race(folder, options.rows, max(3, options.rounds // 20))
        many = rows_race(folder, options.rows * 10, max(3, options.rounds // 60))
    print("ten times the rows")
    line("allowc check", "", f"{many / few:.1f}", "at most 11", many / few > 11)
    return 0


if __name__ == "__main__":
    sys.exit(main())
