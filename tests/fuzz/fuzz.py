#!/usr/bin/env python3
"""Runs the harnesses of this folder.

    fuzz.py                      each over its corpus and a fixed number of runs from a fixed seed; TAP
    fuzz.py --time SECONDS NAME… each for so long; executions, coverage, and where a finding is kept

The corpora and dictionaries are made anew from the golden cases and tests/data each time (corpus.py). What a
longer run adds to them stays in the build folder, and is where the next one begins.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402

import corpus  # noqa: E402

HARNESSES = sorted(path.stem.removeprefix("fuzz_") for path in Path(__file__).parent.glob("fuzz_*.c"))
PROGRAMS = suite.BUILD / "tests" / "fuzz"
FOUND = suite.BUILD / "found"

# Beyond the corpus. Each is a few seconds; harnesses that build filters or compare policies are slower.
RUNS = {"condition": 300, "diff": 500, "layers": 300, "policy": 1500, "saved": 500}
RUNS_ELSEWHERE = 5000

LIMITS = ["-timeout=60", "-rss_limit_mb=2048", "-print_final_stats=1"]


def command(name: str, made: corpus.Corpus, *words: str | Path) -> list[str]:
    found = FOUND / f"{name}-"
    found.parent.mkdir(parents=True, exist_ok=True)
    options = [*LIMITS, f"-artifact_prefix={found}", f"-dict={made.dictionary}", f"-max_len={made.longest}"]
    return [str(word) for word in (PROGRAMS / f"fuzz_{name}", *options, *words)]


def execute(words: list[str]) -> tuple[int, str]:
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                          check=False)  # fmt: skip
    return done.returncode, done.stderr


def smoke(name: str) -> None:
    with suite.scratch() as folder:
        made = corpus.make(name, folder)
        runs = made.count + RUNS.get(name, RUNS_ELSEWHERE)
        (folder / "new").mkdir()
        words = command(name, made, f"-runs={runs}", "-seed=1", folder / "new", made.folder)
        status, output = execute(words)
        if status != 0:
            suite.fail(f"exit status {status}\n{output[-6000:]}")


def figure(pattern: str, output: str) -> str:
    found = re.findall(pattern, output)
    return found[-1] if found else "?"


def explore(name: str, seconds: int) -> bool:
    kept = suite.BUILD / "corpus" / name
    kept.mkdir(parents=True, exist_ok=True)
    with suite.scratch() as folder:
        made = corpus.make(name, folder)
        words = command(name, made, f"-max_total_time={seconds}", kept, made.folder)
        status, output = execute(words)
    print(f"{name:<10} {figure(r'number_of_executed_units: ([0-9]+)', output):>10} executions"
          f"  {figure(r'cov: ([0-9]+)', output)} of {figure(r'([0-9]+) inline 8-bit counters', output)} edges"
          f"  {figure(r'ft: ([0-9]+)', output)} features"
          f"  {'nothing found' if status == 0 else 'FOUND'}", flush=True)  # fmt: skip
    if status != 0:
        print(output[-6000:])
    return status == 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Runs the fuzz harnesses.")
    parser.add_argument("--time", type=int, help="seconds for each harness")
    parser.add_argument("names", nargs="*", default=HARNESSES, metavar="NAME")
    arguments = parser.parse_args()
    for name in arguments.names:
        if name not in HARNESSES:
            parser.error(f"there is no harness '{name}'; there are {', '.join(HARNESSES)}")
    os.chdir(suite.ROOT)
    if arguments.time is None:
        tests = [(f"fuzz {name}", lambda name=name: smoke(name)) for name in arguments.names]
        return suite.main(tests)
    # Each is run, whatever the ones before it found.
    return 0 if all([explore(name, arguments.time) for name in arguments.names]) else 1


if __name__ == "__main__":
    sys.exit(main())
