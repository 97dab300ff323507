"""The tests that mutants are tried with, and a build that links one changed object into them.

A test is named `unit:test_quote`, `golden:gate-allow` or `cli:test_gate:FUNCTION`. Each runs against the program,
or is one, of a folder that belongs to one worker, so that two mutants never meet.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Iterable

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402

# No test may depend on one second more, and none of a mutant that runs for ever runs longer.
SECONDS = {"unit": 20, "golden": 5, "cli": 60}
MEMORY = 4 << 30
# A suite runs all its tests when it is imported: not before the others are taken out.
RUN_ONE = """
import importlib, sys, tap
main, tap.main = tap.main, lambda: None
importlib.import_module(sys.argv[1])
tap._tests[:] = [test for test in tap._tests if test.__name__ == sys.argv[2]]
main()
"""
# Suites of the command line that come by what is mutated, and little else.
SCRIPTS = ("test_gate", "test_gate_attacks")
FLAGS = ["-std=c11", "-D_GNU_SOURCE", "-w", "-O0"]


def run(words: Iterable[str | Path], seconds: float, **options: object) -> int:
    """The exit status; that of a program that was stopped is -9."""
    try:
        return subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL, timeout=seconds,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
                              **options).returncode  # type: ignore[call-overload]  # fmt: skip
    except subprocess.TimeoutExpired:
        return -9


class Copy:
    """The copy of the source tree, built without optimization once."""

    def __init__(self, folder: Path):
        self.tree, self.build = folder / "tree", folder / "plain"
        self.compiler = os.environ.get("CC", "cc")

    def fill(self) -> None:
        """What git knows of, and what is new; unchanged files keep their times, so that little is built anew."""
        listed = suite.run(["git", "-C", suite.ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        wanted = {name for name in listed.stdout.split("\0") if name and (suite.ROOT / name).is_file()}
        for name in wanted:
            source, copy = suite.ROOT / name, self.tree / name
            if copy.exists() and copy.read_bytes() == source.read_bytes() and not source.is_symlink():
                continue
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.unlink(missing_ok=True)
            shutil.copy(source, copy, follow_symlinks=False)
        for copy in [path for path in self.tree.rglob("*") if not path.is_dir()]:
            if str(copy.relative_to(self.tree)) not in wanted:
                copy.unlink()

    def make(self) -> None:
        program = self.build / "allowc"
        # Not a part of the make that may have started this: its variables would reach the copy.
        environment = {name: value for name, value in suite.ENVIRONMENT.items() if not name.startswith("MAKE")}
        suite.run(["make", "-j2", "-f", self.tree / "Makefile", f"BUILD={self.build}", "CFLAGS=-O0", "STATIC=",
                   program], environment=environment)  # fmt: skip
        libraries = suite.run(["pkg-config", "--libs", "yaml-0.1", "nettle", "jansson"])
        self.libraries = ["-Wl,--as-needed", *libraries.stdout.split(), "-lcmocka"]
        for source in sorted((self.tree / "tests" / "unit").glob("test_*.c")):
            made = self.unit_object(source.stem)
            if not made.exists() or made.stat().st_mtime <= max(source.stat().st_mtime, program.stat().st_mtime):
                made.parent.mkdir(parents=True, exist_ok=True)
                if self.compile(source, made) != 0:
                    sys.exit(f"mutate: {source} does not compile")

    def unit_object(self, stem: str) -> Path:
        return self.build / "tests" / "unit" / f"{stem}.o"

    def compile(self, source: Path, made: Path, *flags: str) -> int:
        return run([self.compiler, *FLAGS, *flags, f"-I{self.tree}", f"-I{self.build}", "-c", source, "-o", made], 120)

    def link(self, made: Path, objects: list[Path], *flags: str) -> int:
        """The objects come before the library, so that theirs are taken."""
        return run([self.compiler, *flags, *objects, self.build / "liballowc.a", *self.libraries, "-o", made], 120)


def all_tests(copy: Copy) -> list[str]:
    """The quick ones first."""
    units = [f"unit:{path.stem}" for path in sorted((copy.tree / "tests" / "unit").glob("test_*.c"))]
    golden = copy.tree / "tests" / "golden"
    cases = [f"golden:{path.name}" for path in sorted(golden.iterdir()) if path.is_dir()]
    functions = []
    for script in SCRIPTS:
        text = (copy.tree / "tests" / "cli" / f"{script}.py").read_text(encoding="utf-8")
        names = re.findall(r"^@(?:test|attack)\n(?:@.*\n)*def (\w+)", text, re.MULTILINE)
        functions += [f"cli:{script}:{name}" for name in names]
    return units + cases + functions


def digest(copy: Copy, test: str) -> str:
    """Of what the test is made of."""
    kind, _, name = test.partition(":")
    tests = copy.tree / "tests"
    if kind == "golden":
        files = sorted(path for path in (tests / "golden" / name).rglob("*") if path.is_file())
    else:
        files = [tests / "unit" / f"{name}.c" if kind == "unit" else tests / "cli" / f"{name.partition(':')[0]}.py"]
    total = hashlib.sha256()
    for path in files:
        total.update(f"{path.name}\0".encode() + path.read_bytes())
    return total.hexdigest()[:16]


class Bench:
    """Where objects are put in the place of the library's, and tests run against the result."""

    def __init__(self, copy: Copy, folder: Path, objects: list[Path], *flags: str):
        self.copy, self.folder, self.objects, self.flags = copy, folder, objects, flags
        self.linked: set[Path] = set()
        folder.mkdir(parents=True, exist_ok=True)
        self.golden = importlib.import_module("golden")
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        # suite.program() puts it before the program. Unit programs have no such limit: some run a sanitizer.
        os.environ["ALLOWC_UNDER"] = f"prlimit --as={MEMORY} timeout -s KILL {SECONDS['golden']}"
        os.environ["ALLOWC"] = suite.ALLOWC = str(folder / "allowc")
        os.environ["ALLOWC_BUILD"] = str(copy.build)

    def begin(self) -> None:
        """The objects are others now."""
        self.linked = set()

    def program(self, name: str, main: Path) -> Path:
        made = self.folder / name
        if made not in self.linked:
            if self.copy.link(made, [main, *self.objects], *self.flags) != 0:
                sys.exit(f"mutate: {made} does not link")
            self.linked.add(made)
        return made

    def passes(self, test: str, **changes: str) -> bool:
        """Whether the test does. `changes` are to its environment."""
        kind, _, name = test.partition(":")
        environment = {**os.environ, **changes}
        if kind == "unit":
            program = self.program("unit", self.copy.unit_object(name))
            self.linked.discard(program)
            return run([program], SECONDS[kind], cwd=self.copy.tree, env=environment) == 0
        self.program("allowc", self.copy.build / "compiler" / "main.o")
        if kind == "golden":
            suite.ENVIRONMENT.update(changes)
            return suite.outcome(lambda: self.golden.check_case(self.copy.tree / "tests" / "golden" / name))[0] == "ok"
        script, _, function = name.partition(":")
        environment["PYTHONPATH"] = f"{self.copy.tree}/tests:{self.copy.tree}/tests/cli"
        words = [sys.executable, "-B", "-c", RUN_ONE, script, function]
        return run(words, SECONDS[kind], cwd=self.copy.tree, env=environment) == 0
