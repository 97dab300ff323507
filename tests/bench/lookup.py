#!/usr/bin/env python3
"""Look-up in the C header beside gperf's: ns a look-up, hits and misses, and the ratio of the two.

Usage: lookup.py [--all]     in the environment: ALLOWC_BUILD, the folder that holds liballowc.a

gperf takes minutes for 20,000 names, so they are measured with --all only; without it the header's own
figure is shown there. One process asks both, in turns, in an order that is shuffled every round.
"""

import os
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = pathlib.Path(os.environ.get("ALLOWC_BUILD", ROOT / "build"))
PARTS = "git node docker buildx sem grep syft scan cloud build pack test lint fmt kube db web".split()


def names(count, rng):
    """Distinct names like those of programs: one to three parts, and a number where those run out."""
    found = {}
    while len(found) < count:
        name = "-".join(rng.choice(PARTS) for _ in range(rng.randint(1, 3)))
        if count > 100 and rng.random() < 0.8:
            name += str(rng.randint(0, 9 * count))
        found[name] = None
    return list(found)


def build_header_program(folder):
    program = pathlib.Path(folder) / "header"
    flags = ["-std=c11", "-D_GNU_SOURCE", "-O2", f"-I{ROOT}"]
    libraries = subprocess.run(["pkg-config", "--libs", "yaml-0.1", "nettle", "jansson"], check=True,
                               capture_output=True, text=True).stdout.split()  # fmt: skip
    subprocess.run(["cc", *flags, HERE / "header.c", BUILD / "liballowc.a", *libraries, "-o", program], check=True)
    return program


def measure(folder, header_program, count, with_gperf):
    rng = random.Random(count)
    both = names(2 * count, rng)
    rng.shuffle(both)
    hits, misses = both[:count], both[count:]
    for stem, lines in (("hits", hits), ("misses", misses)):
        (folder / stem).write_text("\n".join(lines) + "\n")
    header = subprocess.run([header_program, folder / "hits"], check=True, capture_output=True)
    (folder / "header.h").write_bytes(header.stdout)
    command = ["cc", "-O2", "-w", f"-I{folder}", '-DHEADER="header.h"']
    if with_gperf:
        table = subprocess.run(["gperf", folder / "hits"], check=True, capture_output=True)
        (folder / "gperf.h").write_bytes(table.stdout)
        command.append('-DGPERF="gperf.h"')
    subprocess.run([*command, HERE / "lookup.c", "-o", folder / "lookup"], check=True)
    rows = []
    for stem in ("hits", "misses"):
        run = subprocess.run([folder / "lookup", folder / stem, "40"], check=True, capture_output=True)
        rows.append((stem, *map(float, run.stdout.split())))
    return rows


def measure_all(header_program):
    print("names           header  gperf  ratio   (ns a look-up)")
    for count in (20, 200, 2000, 20000):
        with_gperf = count < 20000 or "--all" in sys.argv
        with tempfile.TemporaryDirectory() as folder:
            for stem, header, gperf in measure(pathlib.Path(folder), header_program, count, with_gperf):
                peer = f"{gperf:6.1f} {header / gperf:6.2f}" if with_gperf else "     -      -"
                print(f"{count:6} {stem:7} {header:7.1f} {peer}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        measure_all(build_header_program(folder))


if __name__ == "__main__":
    main()
