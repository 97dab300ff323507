#!/usr/bin/env python3
"""Look-up in the C header beside gperf's and bsearch's: ns a look-up, hits and misses, and the tables' bytes.

Usage: lookup.py [--all] [COUNT...]     in the environment: ALLOWC_BUILD, the folder that holds liballowc.a

One process asks all of them, in turns. gperf is given several sets of options, and for hits and for misses the one
that is fastest there is its figure. It takes a quarter of an hour for 20,000 names, so it is left out there without --all; what it
wrote is kept in ALLOWC_BUILD/bench. A target that is missed is marked; the exit status stays 0.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import os
import random
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = Path(os.environ.get("ALLOWC_BUILD", ROOT / "build"))
NAMES = ROOT / "tests" / "data" / "program_names.txt"
CC = shlex.split(os.environ.get("CC", "cc"))
COUNTS = (20, 200, 2000, 20000)
MANY = 20000  # gperf's search takes minutes
ASKED = 8_000_000  # questions to each, in many rounds of which the best counts
# -C: constant tables, -E: no macros, -l: lengths are compared first, -m: more tries at a smaller table,
# -S: a switch for the table, -k: which bytes are looked at.
GPERF_OPTIONS = ([], ["-l"], ["-m10"], ["-l", "-m10"], ["-S1"], ["-l", "-k*"])
GPERF_OPTIONS_FOR_MANY = ([],)  # one search of a quarter of an hour is enough
BSEARCH = """\
#include <stdlib.h>
static const char *const sorted_names[] = {{ {names} }};
static int compare(const void *key, const void *element)
{{
	return strcmp((const char *)key, *(const char *const *)element);
}}
static inline int search(const char *command)
{{
	return bsearch(command, sorted_names, {count}, sizeof *sorted_names, compare) != NULL;
}}
"""
# The targets of the look-up: at most so much of the fastest peer's time.
TARGETS = {20: 1.0, 2000: 1.0, 20000: 1.0}


@dataclasses.dataclass
class Contender:
    name: str
    file: str  # what is included
    ask: str  # an expression of `command`
    hit: float = 0.0
    miss: float = 0.0
    size: int = 0


def read_names() -> tuple[list[str], list[str]]:
    """Programs, and packages to fill up with."""
    lines = [line for line in NAMES.read_text(encoding="ascii").splitlines() if not line.startswith("#")]
    blank = lines.index("")
    return lines[:blank], lines[blank + 1 :]


def choose(count: int) -> tuple[list[str], list[str]]:
    """Names to find and as many others, or all that are left."""
    programs, packages = read_names()
    rng = random.Random(count)
    rng.shuffle(programs)
    rng.shuffle(packages)
    both = programs + packages
    return both[:count], both[count : 2 * count]


def build_header_program(folder: Path) -> Path:
    program = folder / "header"
    flags = ["-std=c11", "-D_GNU_SOURCE", "-O2", f"-I{ROOT}"]
    libraries = subprocess.run(["pkg-config", "--libs", "yaml-0.1", "nettle", "jansson"], check=True,
                               capture_output=True, text=True).stdout.split()  # fmt: skip
    subprocess.run([*CC, *flags, HERE / "header.c", BUILD / "liballowc.a", *libraries, "-o", program], check=True)
    return program


def gperf_table(names: list[str], options: list[str], function: str) -> bytes:
    """What gperf writes, kept from run to run."""
    command = ["gperf", "-L", "ANSI-C", "-C", "-E", *options, "-N", function, "-H", f"{function}_hash"]
    text = "\n".join(names) + "\n"
    kept = BUILD / "bench" / f"gperf-{hashlib.sha256(repr((command, text)).encode()).hexdigest()[:20]}.h"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        output = subprocess.run(command, input=text.encode(), check=True, capture_output=True).stdout
        unfinished = kept.with_suffix(".new")
        unfinished.write_bytes(output)
        unfinished.replace(kept)
    return kept.read_bytes()


def contenders_of(folder: Path, header_program: Path, names: list[str], options: list[list[str]]) -> list[Contender]:
    (folder / "names").write_text("\n".join(names) + "\n")
    header = subprocess.run([header_program, folder / "names"], check=True, capture_output=True).stdout
    (folder / "header.h").write_bytes(header)
    text = ", ".join(f'"{name}"' for name in sorted(names))
    (folder / "bsearch.h").write_text(BSEARCH.format(names=text, count=len(names)))
    found = [Contender("header", "header.h", "bench_find(command) != NULL"),
             Contender("bsearch", "bsearch.h", "search(command)")]  # fmt: skip
    for number, words in enumerate(options):
        function = f"gperf_{number}"
        (folder / f"{function}.h").write_bytes(gperf_table(names, words, function))
        found.append(Contender(" ".join(["gperf", *words]), f"{function}.h",
                               f"{function}(command, strlen(command)) != NULL"))  # fmt: skip
    return found


def read_only_bytes(folder: Path, contender: Contender) -> int:
    """All that the linker keeps of the look-up beside its code: tables, rows, texts."""
    unit = folder / "unit.c"
    unit.write_text(f'#include <string.h>\n#include "{contender.file}"\n'
                    f"int ask(const char *command);\nint ask(const char *command) {{ return {contender.ask}; }}\n")
    subprocess.run([*CC, "-O2", "-w", "-fno-pie", "-c", unit, "-o", folder / "unit.o"], check=True)
    lines = subprocess.run(["size", "-A", "-d", folder / "unit.o"], check=True, capture_output=True, text=True).stdout
    sections = [line.split() for line in lines.splitlines()]
    return sum(int(words[1]) for words in sections if words and words[0].startswith((".rodata", ".data")))


def measure(folder: Path, contenders: list[Contender], hits: list[str], misses: list[str]) -> None:
    lines = [f'#include "{contender.file}"\n' for contender in contenders]
    uses = " ".join(f"X(c{number}, {contender.ask})" for number, contender in enumerate(contenders))
    (folder / "contenders.h").write_text("".join(lines) + f"#define CONTENDERS(X) {uses}\n")
    command = [*CC, "-O2", "-w", f"-I{folder}", '-DCONTENDERS_FILE="contenders.h"']
    subprocess.run([*command, HERE / "lookup.c", "-o", folder / "lookup"], check=True)
    for field, queries, wanted in (("hit", hits, len(hits)), ("miss", misses, 0)):
        (folder / "queries").write_text("\n".join(queries) + "\n")
        run = subprocess.run([folder / "lookup", folder / "queries", str(ASKED)], check=True, capture_output=True)
        for contender, line in zip(contenders, run.stdout.decode().splitlines()):
            time, found = line.split()
            if int(found) != wanted:
                sys.exit(f"bench: {contender.name} finds {found} of {len(queries)} names, not {wanted}")
            setattr(contender, field, float(time))


def mark(count: int, ours: float, peers: list[float]) -> str:
    ratio = ours / min(peers)
    return f"{ratio:5.2f}{' MISSED' if ratio > TARGETS.get(count, ratio) else ''}"


def report(count: int, contenders: list[Contender]) -> None:
    ours, peers = contenders[0], contenders[1:]
    for contender in contenders:
        print(f"{count:6} {contender.name:14} {contender.hit:7.1f} {contender.miss:7.1f} {contender.size:10}")
    hit = mark(count, ours.hit, [peer.hit for peer in peers])
    miss = mark(count, ours.miss, [peer.miss for peer in peers])
    print(f"{count:6} {'ratio':14} {hit:>7} {miss:>7}   header / fastest peer")


def measure_all(header_program: Path, counts: list[int], with_gperf: bool) -> None:
    print(f"{'names':>6} {'look-up':14} {'ns hit':>7} {'ns miss':>7} {'bytes':>10}   rows and texts included")
    for count in counts:
        hits, misses = choose(count)
        options = GPERF_OPTIONS if count < MANY else GPERF_OPTIONS_FOR_MANY if with_gperf else ()
        with tempfile.TemporaryDirectory(prefix="allowc-bench-") as name:
            folder = Path(name)
            contenders = contenders_of(folder, header_program, hits, list(options))
            for contender in contenders:
                contender.size = read_only_bytes(folder, contender)
            measure(folder, contenders, hits, misses)
        report(count, contenders)
        if not options:
            print(f"{count:6} gperf          takes minutes to generate: --all waits for it")


def main() -> int:
    parser = argparse.ArgumentParser(description="look-up in the C header beside gperf's and bsearch's")
    parser.add_argument("--all", action="store_true", help=f"gperf for {MANY:,} names too: minutes, the first time")
    parser.add_argument("counts", nargs="*", type=int, default=COUNTS, metavar="COUNT")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="allowc-bench-") as folder:
        measure_all(build_header_program(Path(folder)), list(options.counts), options.all)
    return 0


if __name__ == "__main__":
    sys.exit(main())
