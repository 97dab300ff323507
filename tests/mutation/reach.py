"""Which tests come by which lines, measured once: a mutant is tried with those alone."""

from __future__ import annotations

import bisect
import hashlib
import json
import subprocess
import time
from pathlib import Path

import tests

LONGEST = 5.0  # seconds of a test; what takes longer is left out


class Reach:
    """Of each source file the tests by line, as gcov has seen them."""

    def __init__(self, copy: tests.Copy, folder: Path, sources: list[str]):
        self.copy, self.folder, self.sources = copy, folder, sources
        self.file = folder / "reach.json"
        self.known: dict[str, dict] = {}
        self.stamp = ""
        self.lines: dict[str, dict[int, list[str]]] = {source: {} for source in sources}
        self.instrumented: dict[str, list[int]] = {source: [] for source in sources}

    def measure(self) -> None:
        """What is known of a test holds until the test or a source is changed."""
        self.stamp = hashlib.sha256(b"".join((self.copy.tree / source).read_bytes() for source in self.sources)).hexdigest()
        stored = json.loads(self.file.read_text(encoding="utf-8")) if self.file.exists() else {}
        self.known = stored["tests"] if stored.get("stamp") == self.stamp else {}
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
        self.file.write_text(json.dumps({"stamp": self.stamp, "tests": self.known}), encoding="utf-8")

    def measure_tests(self, missing: list[str], digests: dict[str, str]) -> None:
        objects = []
        for source in self.sources:
            made = self.folder / "objects" / Path(source).with_suffix(".o")
            made.parent.mkdir(parents=True, exist_ok=True)
            self.copy.compile(self.copy.tree / source, made, "--coverage")
            objects.append(made)
        bench = tests.Bench(self.copy, self.folder / "bench", objects, "--coverage")
        for number, test in enumerate(missing):
            if number % 100 == 99:
                self.store()
            for path in self.folder.rglob("*.gcda"):
                path.unlink()
            begin = time.monotonic()
            passed = bench.passes(test)
            self.known[test] = {"digest": digests[test], "passed": passed, "seconds": time.monotonic() - begin,
                                "lines": self.read_counts()}  # fmt: skip
            if not passed:
                print(f"left out, since it fails without a mutant: {test}", flush=True)

    def read_counts(self) -> dict[str, list[list[int]]]:
        """Of each source: the lines that have code, and those that ran."""
        counts = sorted(self.folder.rglob("*.gcda"))
        if not counts:
            return {}
        printed = subprocess.run(["gcov", "--json-format", "--stdout", *counts], cwd=self.folder, check=True,
                                 capture_output=True, text=True).stdout  # fmt: skip
        found = {}
        for document in printed.splitlines():
            for entry in json.loads(document)["files"]:
                source = entry["file"].removeprefix(f"{self.copy.tree}/")
                if source in self.sources:
                    ran = sorted({line["line_number"] for line in entry["lines"] if line["count"]})
                    found[source] = [sorted({line["line_number"] for line in entry["lines"]}), ran]
        return found

    def order(self) -> None:
        """The quick tests first."""
        usable = [test for test, fact in self.known.items() if fact["passed"] and fact["seconds"] <= LONGEST]
        for test in sorted(usable, key=lambda test: self.known[test]["seconds"]):
            for source, (code, ran) in self.known[test]["lines"].items():
                self.instrumented[source] = code
                for line in ran:
                    self.lines[source].setdefault(line, []).append(test)

    def tests_of(self, source: str, line: int) -> list[str]:
        """Of the last line with code up to this one: a statement may go over several. A line before all code, as of
        a constant, has the tests of the whole file."""
        code = self.instrumented[source]
        at = bisect.bisect_right(code, line) - 1
        if at >= 0:
            return self.lines[source].get(code[at], [])
        return sorted({test for found in self.lines[source].values() for test in found},
                      key=lambda test: self.known[test]["seconds"])  # fmt: skip
