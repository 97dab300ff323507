"""The tests that mutants are tried with, and a build that links one changed object into them.

A test is named `unit:test_quote`, `golden:gate-allow` or `cli:test_gate:FUNCTION`. Each runs against the program,
or is one, of a folder that belongs to one worker, so that two mutants never meet.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import importlib
import os
import pickle
import re
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable, Iterable, Mapping

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import rerun  # noqa: E402
import suite  # noqa: E402

# No test may depend on one second more, and none of a mutant that runs for ever runs longer.
SECONDS = {"unit": 20, "golden": 2, "cli": 60}
MEMORY = 4 << 30
# Suites of the command line that come by what is mutated, and little else.
SCRIPTS = ("test_gate", "test_gate_attacks", "test_gate_places")
FLAGS = ["-std=c11", "-D_GNU_SOURCE", "-w", "-O0"]


def run(words: Iterable[str | Path], seconds: float, **options: object) -> int:
    """The exit status; that of a program that was stopped is -9."""
    try:
        return subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL, timeout=seconds,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
                              **options).returncode  # type: ignore[call-overload]  # fmt: skip
    except subprocess.TimeoutExpired:
        return -9


def unit_passes(program: Path, folder: Path, environment: Mapping[str, str]) -> bool:
    """The first test that fails ends it: those behind may compile and run what they have made."""
    child = subprocess.Popen(["timeout", "-s", "KILL", str(SECONDS["unit"]), program], cwd=folder, env=environment,
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                             start_new_session=True)  # fmt: skip
    assert child.stderr
    if any(b"[  ERROR   ]" in line for line in child.stderr):
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        return False
    return child.wait() == 0


class Copy:
    """The copy of the source tree, built without optimization once."""

    def __init__(self, folder: Path):
        self.tree, self.build = folder / "tree", folder / "plain"
        self.compiler = os.environ.get("CC", "cc")

    def fill(self) -> None:
        """What git knows of, and what is new; unchanged files keep their times, so that little is built anew."""
        listed = suite.run(["git", "-C", suite.ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        wanted = {name for name in listed.stdout.split("\0")
                  if name and ((suite.ROOT / name).is_file() or (suite.ROOT / name).is_symlink())}  # fmt: skip
        for name in wanted:
            source, copy = suite.ROOT / name, self.tree / name
            if not source.is_symlink() and copy.exists() and copy.read_bytes() == source.read_bytes():
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
        self.libraries = ["-Wl,--as-needed", *libraries.stdout.split()]
        for source in sorted((self.tree / "tests" / "unit").glob("test_*.c")):
            made = self.unit_object(source.stem)
            if not made.exists() or made.stat().st_mtime <= max(source.stat().st_mtime, program.stat().st_mtime):
                made.parent.mkdir(parents=True, exist_ok=True)
                if self.compile(source, made) != 0:
                    sys.exit(f"mutate: {source} does not compile")

    def unit_object(self, stem: str) -> Path:
        return self.build / "tests" / "unit" / f"{stem}.o"

    def compiling(self, source: Path, made: Path, *flags: str) -> list[str]:
        words = [self.compiler, *FLAGS, *flags, f"-I{self.tree}", f"-I{self.build}", "-c", source, "-o", made]
        return [str(word) for word in words]

    def compile(self, source: Path, made: Path, *flags: str) -> int:
        return run(self.compiling(source, made, *flags), 120)

    def link(self, made: Path, objects: list[Path], *flags: str) -> int:
        """The objects come before the library, so that theirs are taken."""
        words = [self.compiler, "-fuse-ld=gold", *objects, self.build / "liballowc.a", *self.libraries, *flags]
        return run([*words, "-o", made], 120)


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
    return cases + functions + units


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


@dataclasses.dataclass
class Prepared:
    """A golden case's copy, in which nothing has run that left a trace."""

    folder: Path
    state: dict[str, tuple[int, ...]]
    before: dict[str, bytes]


class Cases:
    """golden.run_case, over copies of the cases that are kept for as long as nothing changes in them."""

    def __init__(self, folder: Path):
        self.folder, self.golden = folder, importlib.import_module("golden")
        self.prepared: dict[str, Prepared] = {}
        shutil.rmtree(folder, ignore_errors=True)

    def prepare(self, case: Path) -> Prepared:
        folder = self.folder / case.name / "case"
        shutil.rmtree(folder.parent, ignore_errors=True)
        shutil.copytree(case, folder, symlinks=True, ignore=lambda path, names:
                        self.golden.EXPECTATIONS if Path(path) == case else ())  # fmt: skip
        return Prepared(folder, rerun.state(folder.parent), suite.tree(folder))

    def run(self, case: Path) -> object:
        found = self.prepared.pop(case.name, None) or self.prepare(case)
        words = self.golden.arguments(case)
        given = case / "stdin"
        with open(given if given.exists() else os.devnull, "rb") as stdin:
            code, stdout, stderr = rerun.limited([suite.ALLOWC, *words], SECONDS["golden"], MEMORY, cwd=found.folder,
                                                 env=self.golden.environment(found.folder), stdin=stdin)  # fmt: skip
        after = found.before
        if rerun.state(found.folder.parent) == found.state:
            self.prepared[case.name] = found
        else:
            after = suite.tree(found.folder)
        text = [stream.decode("utf-8", "surrogateescape") for stream in (stdout, stderr)]
        return self.golden.Run(code, *text, found.before, after, self.golden.output_folder(words))


@functools.cache
def suites() -> tuple[Any, dict[str, Callable[[], None]]]:
    """tap, whose allowc() is what its `runs` is at the time, and the tests of the suites."""
    sys.path.insert(0, str(suite.ROOT / "tests" / "cli"))
    tap: Any = importlib.import_module("tap")
    tap.runs = tap.allowc
    tap.allowc = lambda *arguments, **options: tap.runs(*arguments, **options)
    tap.main = lambda: None  # a suite runs all its tests when it is imported
    functions: dict[str, Callable[[], None]] = {}
    for script in SCRIPTS:
        importlib.import_module(script)
        functions.update({f"{script}:{function.__name__}": function for function in tap._tests})
        tap._tests.clear()
    return tap, functions


class Scripts:
    """The tests of the suites of the command line, each run in a process that is a copy of this one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tap, self.functions = suites()
        self.runs: dict[str, list[rerun.Run] | None] = {}
        self.outcomes: dict[tuple[str, int], tuple[int, bytes, bytes]] = {}
        shutil.rmtree(folder, ignore_errors=True)

    def passes(self, name: str, changes: dict[str, str]) -> bool:
        """Where all mutants are in one program, that of none of them says what the runs of the test come to."""
        if changes.get("MUTANT", "0") != "0":
            if name not in self.runs:
                self.runs[name] = self.record(name)
            runs = self.runs[name]
            kept = runs and all(run.folder.is_dir() for run in runs)
            if runs and kept and all(self.is_as_ever(name, at, run, changes) for at, run in enumerate(runs)):
                return True
        return self.run(functools.partial(self.tap._run, self.functions[name]), changes)

    def run(self, function: Callable[[], None], changes: dict[str, str]) -> bool:
        child = os.fork()
        if child == 0:
            os.setsid()
            resource.setrlimit(resource.RLIMIT_CPU, (5, 5))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            os.environ.update(changes)
            suite.ENVIRONMENT.update(changes)
            os._exit(0 if suite.outcome(function)[0] == "ok" else 1)
        end = os.pidfd_open(child)
        if not select.select([end], [], [], SECONDS["cli"])[0]:
            os.killpg(child, signal.SIGKILL)
        os.close(end)
        return os.waitpid(child, 0)[1] == 0

    def record(self, name: str) -> list[rerun.Run] | None:
        """None where the runs alone do not say what the test does."""
        folder = self.folder / name
        folder.mkdir(parents=True)
        recorder = rerun.Recorder(folder, self.tap.runs)

        def inside() -> None:
            recorder.home = Path.cwd()
            self.functions[name]()

        def recorded() -> None:
            self.tap.runs = recorder
            self.tap._run(inside)
            if recorder.complete:
                (folder / "runs").write_bytes(pickle.dumps(recorder.runs))

        self.run(recorded, {"MUTANT": "0"})
        return pickle.loads((folder / "runs").read_bytes()) if (folder / "runs").exists() else None

    def is_as_ever(self, name: str, number: int, run: rerun.Run, changes: dict[str, str]) -> bool:
        if (name, number) not in self.outcomes:
            self.outcomes[name, number] = self.outcome(run, {"MUTANT": "0"})
        return self.outcome(run, changes) == self.outcomes[name, number]

    def outcome(self, run: rerun.Run, changes: dict[str, str]) -> tuple[int, bytes, bytes]:
        with tempfile.TemporaryFile() as stdin:
            stdin.write(run.text.encode())
            stdin.seek(0)
            return rerun.limited([suite.ALLOWC, *run.words], SECONDS["golden"], MEMORY, cwd=run.folder / run.place,
                                 env=self.tap.environment(**run.environment, **changes), stdin=stdin)  # fmt: skip


class Bench:
    """Where objects are put in the place of the library's, and tests run against the result."""

    def __init__(self, copy: Copy, folder: Path, objects: list[Path]):
        self.copy, self.folder, self.objects = copy, folder, objects
        self.linked: set[Path] = set()
        folder.mkdir(parents=True, exist_ok=True)
        self.golden: Any = importlib.import_module("golden")
        self.cases = Cases(folder / "cases")
        self.scripts = Scripts(folder / "scripts")
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.environ["ALLOWC_BUILD"] = str(copy.build)

    def begin(self) -> None:
        """The objects are others now."""
        self.linked = set()

    def program(self, name: str, main: Path) -> Path:
        made = self.folder / name
        if made not in self.linked:
            flag = "-static" if name == "allowc" else "-lcmocka"  # the program starts often
            if self.copy.link(made, [main, *self.objects], flag) != 0:
                sys.exit(f"mutate: {made} does not link")
            self.linked.add(made)
        return made

    def passes(self, test: str, **changes: str) -> bool:
        """Whether the test does. `changes` are to its environment."""
        kind, _, name = test.partition(":")
        os.environ["ALLOWC"] = suite.ALLOWC = str(self.folder / "allowc")
        environment = {**os.environ, **changes}
        if kind == "unit":
            program = self.program(name, self.copy.unit_object(name))
            return unit_passes(program, self.copy.tree, environment)
        self.program("allowc", self.copy.build / "compiler" / "main.o")
        if kind == "golden":
            self.golden.run_case = self.cases.run
            suite.ENVIRONMENT.update(changes)
            return suite.outcome(lambda: self.golden.check_case(self.copy.tree / "tests" / "golden" / name))[0] == "ok"
        return self.scripts.passes(name, changes)
