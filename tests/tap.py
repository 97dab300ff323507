"""The Test Anything Protocol for the suites in Python, and a small project to try the program on.

A suite is a file of functions marked with @test, ended by `tap.main()`. Each runs in a temporary folder
of its own. The program's absolute path comes in the environment variable ALLOWC.
"""

import functools
import os
import shutil
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_tests = []


class Skip(Exception):
    """Raised with the reason."""


def test(function):
    """Marks a test; the first line of its docstring, or its name, is what is printed."""
    _tests.append(function)
    return function


def needs_root(function):
    @functools.wraps(function)
    def checked():
        if os.geteuid() != 0:
            raise Skip("needs root")
        function()

    return checked


def needs(*programs):
    """Skips where a program is missing."""

    def decorate(function):
        @functools.wraps(function)
        def checked():
            for program in programs:
                if not shutil.which(program):
                    raise Skip(f"needs {program}")
            function()

        return checked

    return decorate


def _title(function):
    return (function.__doc__ or function.__name__.replace("_", " ")).strip().splitlines()[0].rstrip(".")


def _run(function):
    """"" when the test passed, else what to print below "not ok"; Skip goes up."""
    back = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="allowc-") as folder:
        os.chmod(folder, 0o755)
        os.chdir(folder)
        try:
            function()
        except Skip:
            raise
        except Exception:  # pylint: disable=broad-except
            return traceback.format_exc()
        finally:
            os.chdir(back)
    return ""


def main():
    print(f"1..{len(_tests)}", flush=True)
    failed = 0
    for number, function in enumerate(_tests, 1):
        try:
            trouble = _run(function)
        except Skip as skip:
            print(f"ok {number} - {_title(function)} # SKIP {skip}", flush=True)
            continue
        print(f"{'not ok' if trouble else 'ok'} {number} - {_title(function)}", flush=True)
        for line in trouble.splitlines():
            print(f"# {line}", flush=True)
        failed += bool(trouble)
    sys.exit(1 if failed else 0)


# ---- what tests say ----


def equal(got, wanted, what=""):
    if got != wanted:
        raise AssertionError(f"{what or 'value'}\n     got {got!r}\n  wanted {wanted!r}")


def contains(text, part):
    if part not in text:
        raise AssertionError(f"{part!r} is not in {text!r}")


# ---- the program ----


def program():
    return os.environ["ALLOWC"]


def environment(**changes):
    """The present one without what changes colours, with `changes`."""
    names = ("NO_COLOR", "CLICOLOR_FORCE", "POSIXLY_CORRECT")
    kept = {name: value for name, value in os.environ.items() if name not in names}
    kept.update(changes)
    return kept


def allowc(*arguments, before=(), **options):
    """Runs the program; text in and out. `before` stands in front of it, as in strace …"""
    options.setdefault("env", environment())
    options.setdefault("stdin", None if "input" in options else subprocess.DEVNULL)
    if "input" in options:
        options.pop("stdin")
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    return subprocess.run(
        [*before, program(), *arguments],
        text=True, encoding="utf-8", errors="backslashreplace", timeout=120, check=False, **options,
    )


def passes(*arguments, **options):
    """Runs the program, which must succeed and complain of nothing."""
    done = allowc(*arguments, **options)
    equal((done.returncode, done.stderr), (0, ""), f"allowc {' '.join(map(str, arguments))}")
    return done


def fails(status, *arguments, **options):
    """Runs the program, which must end with this status and show nothing on standard output."""
    done = allowc(*arguments, **options)
    equal((done.returncode, done.stdout), (status, ""), f"allowc {arguments}: {done.stderr}")
    return done.stderr


# ---- a project ----

ADR = """# 1. The tools

## Status

Accepted

Date: 2026-05-15

## Decision

`git`, `docker`, `docker buildx`, `jq`, `dive` are in. `strace` is out, and `CAP_SYS_PTRACE` with it.
`npm` waits.
"""

POLICY = """policy p1
decisions "adr"

allow git  adr 0001  because "clones"
allow docker  adr 0001  because "builds"
allow "docker buildx"  adr 0001  because "builds more"

plugin first {
    tools git
}
plugin second {
    tools docker, "docker buildx"
}
"""

# Every artifact of it differs from POLICY's, the second plugin goes and a third comes.
CHANGED = """policy p1
decisions "adr"

allow git  adr 0001  because "clones"
allow docker  adr 0001  because "builds"
allow dive  adr 0001  because "looks into layers"
forbid strace  adr 0001  because "tracing is the host's" {
    needs CAP_SYS_PTRACE
}
forbid CAP_SYS_PTRACE  adr 0001  because "nobody traces"

plugin first {
    tools git, docker
}
plugin third {
    tools dive
}
"""


def project(policy=POLICY, name="p1.allow"):
    """The ADR folder and one policy in the present folder."""
    Path("adr").mkdir(exist_ok=True)
    Path("adr/0001-tools.md").write_text(ADR, encoding="utf-8")
    Path(name).write_text(policy, encoding="utf-8")


def snapshot(folder="generated"):
    """Every file below a folder, hidden ones too, with its bytes; folders with None."""
    found = {}
    for path in sorted(Path(folder).rglob("*")):
        found[str(path.relative_to(folder))] = path.read_bytes() if path.is_file() else None
    return found
