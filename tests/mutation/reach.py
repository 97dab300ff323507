"""Which tests come by which lines, measured once: a mutant is tried with those alone.

The objects of all sources are one, behind reach.c, which notes the blocks that run; objdump says which lines
they are.
"""

from __future__ import annotations

import bisect
import hashlib
import json
import re
import time
from pathlib import Path

import tests
from tests import suite

LONGEST = 15.0  # seconds of a test; what takes longer is left out
RUNTIME = Path(__file__).with_name("reach.c")
FILE_SIZE = 1 << 22  # as in reach.c
ROW = re.compile(r"^\S+ +(\d+) +(?:0x)?([0-9a-f]+)\b")
START = re.compile(r"^([0-9a-f]+) <", re.MULTILINE)
CALL = re.compile(r"^ +([0-9a-f]+):.*\n\s+[0-9a-f]+: R_\S+\s+__sanitizer_cov_trace_pc\S*\n +([0-9a-f]+):", re.MULTILINE)


class Reach:
    """Of each source file the tests by line, as gcov has seen them."""

    def __init__(self, copy: tests.Copy, folder: Path, sources: list[str]):
        self.copy, self.folder, self.sources = copy, folder, sources
        self.file = folder / "reach.json"
        self.known: dict[str, dict] = {}
        self.stamp = ""
        self.lines: dict[str, dict[int, list[str]]] = {source: {} for source in sources}
        self.code: dict[str, list[int]] = {source: [] for source in sources}
        self.blocks: dict[int, list[tuple[str, int]]] = {}

    def measure(self) -> None:
        """What is known of a test holds until the test or a source is changed."""
        files = [Path(__file__), *[self.copy.tree / source for source in self.sources]]
        self.stamp = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
        stored = json.loads(self.file.read_text(encoding="utf-8")) if self.file.exists() else {}
        if stored.get("stamp") == self.stamp:
            self.known, self.code = stored["tests"], stored["code"]
        wanted = tests.all_tests(self.copy)
        digests = {test: tests.digest(self.copy, test) for test in wanted}
        missing = [test for test in wanted if self.known.get(test, {}).get("digest") != digests[test]]
        if missing:
            print(f"measuring what {len(missing)} tests reach", flush=True)
            self.measure_tests(missing, digests)
        self.known = {test: self.known[test] for test in wanted}
        self.store()
        self.order()

    def store(self) -> None:
        found = {"stamp": self.stamp, "code": self.code, "tests": self.known}
        self.file.write_text(json.dumps(found), encoding="utf-8")

    def measure_tests(self, missing: list[str], digests: dict[str, str]) -> None:
        counts = self.folder / "counts"
        joined = self.make_object()
        self.read_blocks(joined)
        bench = tests.Bench(self.copy, self.folder / "bench", [joined])
        for number, test in enumerate(missing):
            if number % 100 == 99:
                self.store()
            counts.write_bytes(bytes(FILE_SIZE))
            counts.chmod(0o666)  # some tests run the program as another user
            begin = time.monotonic()
            passed = bench.passes(test, REACH=str(counts))
            self.known[test] = {"digest": digests[test], "passed": passed, "seconds": time.monotonic() - begin,
                                "lines": self.lines_of(counts.read_bytes())}  # fmt: skip
            if not passed:
                print(f"left out, since it fails without a mutant: {test}", flush=True)

    def make_object(self) -> Path:
        """One of all sources, in which a call of the runtime begins each block."""
        objects: list[Path] = []
        for source in [RUNTIME, *[self.copy.tree / source for source in self.sources]]:
            made = self.folder / "objects" / f"{len(objects)}.o"
            made.parent.mkdir(parents=True, exist_ok=True)
            self.copy.compile(source, made, "-g", *([] if source == RUNTIME else ["-fsanitize-coverage=trace-pc"]))
            objects.append(made)
        joined = self.folder / "joined.o"
        suite.run(["ld", "-r", "-o", joined, *objects])
        return joined

    def read_blocks(self, joined: Path) -> None:
        """The lines of each block, by the address that the runtime sees."""
        shown = suite.run(["objdump", "--disassemble", "--reloc", "--no-show-raw-insn", joined]).stdout
        calls = [(int(call, 16), int(behind, 16)) for call, behind in CALL.findall(shown)]
        begins = [call for call, _ in calls]
        starts = [int(start, 16) for start in START.findall(shown)]
        source = ""
        for row in suite.run(["objdump", "--wide", "--dwarf=decodedline", joined]).stdout.splitlines():
            if row.endswith(":"):  # of a file, in the words CU or not
                source = row.removesuffix(":").removeprefix("CU: ").removeprefix(f"{self.copy.tree}/")
            elif source in self.sources and (found := ROW.match(row)):
                address = int(found[2], 16)
                at = bisect.bisect_right(begins, address) - 1
                # What a function begins with stands before its first block, and is no part of the one in front.
                at += at < 0 or begins[at] < starts[bisect.bisect_right(starts, address) - 1]
                self.blocks.setdefault(calls[at][1], []).append((source, int(found[1])))
        for source in self.sources:
            self.code[source] = sorted({line for rows in self.blocks.values() for file, line in rows if file == source})

    def lines_of(self, counts: bytes) -> dict[str, list[int]]:
        """Of each source the lines that ran."""
        found: dict[str, set[int]] = {}
        for block in re.finditer(b"\1", counts):
            for source, line in self.blocks.get(block.start(), []):
                found.setdefault(source, set()).add(line)
        return {source: sorted(lines) for source, lines in found.items()}

    def order(self) -> None:
        """The quick tests first."""
        usable = [test for test, fact in self.known.items() if fact["passed"] and fact["seconds"] <= LONGEST]
        for test in sorted(usable, key=lambda test: self.known[test]["seconds"]):
            for source, ran in self.known[test]["lines"].items():
                for line in ran:
                    self.lines[source].setdefault(line, []).append(test)

    def tests_of(self, source: str, line: int) -> list[str]:
        """Of the last line with code up to this one: a statement may go over several. A line that nothing seems to
        come by, as that of a constant, has the tests of the whole file."""
        code = self.code[source]
        at = bisect.bisect_right(code, line) - 1
        if at >= 0 and code[at] in self.lines[source]:
            return self.lines[source][code[at]]
        return sorted({test for found in self.lines[source].values() for test in found},
                      key=lambda test: self.known[test]["seconds"])  # fmt: skip
