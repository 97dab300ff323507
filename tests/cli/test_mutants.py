#!/usr/bin/env python3
"""Each line of tests/mutation/equivalent.txt is a mutant still: else `make mutate` tries none. Prints TAP."""

import pathlib
import subprocess
import sys

MUTATE = pathlib.Path(__file__).resolve().parents[1] / "mutation" / "mutate.py"


def main() -> int:
    listed = subprocess.run([sys.executable, "-B", MUTATE, "--list"], capture_output=True, text=True, check=False)
    good = listed.returncode == 0 and listed.stdout != ""
    print(f"{'ok' if good else 'not ok'} 1 - the list of mutants")
    for line in listed.stderr.splitlines():
        print(f"# {line}")
    print("1..1")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
