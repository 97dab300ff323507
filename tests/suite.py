"""What the Python test suites share: tests as functions, answered in TAP, and the program under test.

A test fails by an AssertionError, whose text is shown, and is left out by Skip with its reason.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Callable, Iterator, Mapping, NoReturn, Sequence

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("ALLOWC_BUILD", ROOT / "build"))
ALLOWC = os.environ.get("ALLOWC", str(BUILD / "allowc"))

# What a test's outcome must not depend on, unless it says so itself.
UNWANTED = ("CLICOLOR_FORCE", "NO_COLOR", "LANG", "LANGUAGE", "TZ")
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in UNWANTED}
ENVIRONMENT["LC_ALL"] = "C.UTF-8"


class Skip(Exception):
    """The test cannot be made here; the text says why."""


class Impossible(Skip):
    """Nothing that can be installed would make the test possible: the kernel or the sandbox around lacks it."""

    def __str__(self) -> str:
        return f"not possible here: {super().__str__()}"


Test = tuple[str, Callable[[], None]]


def fail(text: str) -> NoReturn:
    raise AssertionError(text)


def same(what: str, actual: object, expected: object) -> None:
    if actual != expected:
        fail(f"{what}: {actual!r} instead of {expected!r}")


def need(*tools: str) -> None:
    """Skips the test where one of the programs is not installed."""
    for tool in tools:
        if shutil.which(tool) is None:
            raise Skip(f"{tool} is not installed")


def run(words: Sequence[str | Path], expect: int | None = 0, environment: Mapping[str, str] = ENVIRONMENT,
        cwd: Path | str = ROOT) -> subprocess.CompletedProcess[str]:  # fmt: skip
    """Runs a program to its end; another exit status than `expect` fails the test with all its output."""
    result = subprocess.run(
        [str(word) for word in words], cwd=cwd, env=environment, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, errors="replace",
    )  # fmt: skip
    if expect is not None and result.returncode != expect:
        line = shlex.join(str(word) for word in words)
        fail(f"exit status {result.returncode} of: {line}\n{result.stdout}{result.stderr}")
    return result


def program() -> list[str]:
    """The compiler, under valgrind or the like where ALLOWC_UNDER says so."""
    return [*shlex.split(os.environ.get("ALLOWC_UNDER", "")), ALLOWC]


def compile_policy(policy: Path | str, folder: Path | str, *options: str, **settings: object) -> None:
    run([*program(), "-q", *options, "-o", folder, policy], **settings)  # type: ignore[arg-type]


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="allowc-") as folder:
        yield Path(folder)


def tick(folder: Path | str = ".") -> None:
    """Returns when what is written below this folder is newer than all before it: times of files stand still for
    as long as the kernel's clock does, some milliseconds, and to a build system the same time is no change."""
    with tempfile.NamedTemporaryFile(dir=folder, prefix=".tick-") as probe:
        before = os.fstat(probe.fileno()).st_mtime_ns
        while os.fstat(probe.fileno()).st_mtime_ns <= before:
            os.utime(probe.fileno())


def tree(folder: Path) -> dict[str, bytes]:
    """The files below a folder, by their paths in it."""
    files = (path for path in sorted(folder.rglob("*")) if not path.is_dir())
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b"(no regular file)"
        for path in files
    }


def outcome(test: Callable[[], None]) -> tuple[str, str, str]:
    """`ok` or `not ok`, the directive, the explanation."""
    try:
        test()
    except Skip as reason:
        return "ok", f" # SKIP {reason}", ""
    except AssertionError as failure:
        return "not ok", "", str(failure) or "assertion failed"
    except Exception as error:  # a test that breaks has failed; the others still run
        return "not ok", "", f"{type(error).__name__}: {error}"
    return "ok", "", ""


def main(tests: Sequence[Test], jobs: int = 1) -> int:
    """Runs the tests, `jobs` at a time, and prints their results in order. The exit status."""
    print(f"1..{len(tests)}", flush=True)
    failed = False
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        results = pool.map(outcome, [test for _, test in tests])
        for number, ((name, _), (word, directive, text)) in enumerate(zip(tests, results), start=1):
            print(f"{word} {number} - {name}{directive}")
            print("".join(f"#   {line}\n" for line in text.splitlines()), end="", flush=True)
            failed = failed or word != "ok"
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit("suite.py is a module: run the suites by tests/run")
