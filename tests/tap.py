"""For tests of the command line: functions as tests, and a small project to try the program on.

A suite is a file of functions marked with @test, ended by `tap.main()`. Each runs in a temporary folder
of its own. suite.py finds the program, runs the tests and prints their results.
"""

import functools
import os
import re
import signal
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

import suite

_tests = []

# nohup, and a shell's '&', leave these ignored for all that is started below: no run could be stopped then.
for _stopping in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
    if signal.getsignal(_stopping) == signal.SIG_IGN:
        signal.signal(_stopping, signal.SIG_DFL)


def test(function):
    """Marks a test; the first line of its docstring, or its name, is what is printed."""
    _tests.append(function)
    return function


def _refuse_test(function):
    """What is a test already stands in the list as it is: another decorator around it would do nothing."""
    if function in _tests:
        raise TypeError(f"{function.__name__}: @test stands above @needs and @needs_root, not below")


def needs_root(function):
    _refuse_test(function)

    @functools.wraps(function)
    def checked():
        if os.geteuid() != 0:
            raise suite.Skip("needs root")
        function()

    return checked


def needs(*programs):
    """Skips where a program is missing."""

    def decorate(function):
        _refuse_test(function)

        @functools.wraps(function)
        def checked():
            suite.need(*programs)
            function()

        return checked

    return decorate


def need_tracing():
    """Skips where strace cannot make a system call fail."""
    suite.need("strace")
    words = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "inject=flock:signal=KILL:when=99", "true"]
    if subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode:
        raise suite.Impossible("no process can be traced")


def _title(function):
    return (function.__doc__ or function.__name__.replace("_", " ")).strip().splitlines()[0].rstrip(".")


def _run(function):
    """In a folder of its own; what fails says where it stands in the test."""
    back = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="allowc-") as folder:
        os.chmod(folder, 0o755)
        os.chdir(folder)
        try:
            function()
        except suite.Skip:
            raise
        except Exception:  # pylint: disable=broad-except
            suite.fail(traceback.format_exc())
        finally:
            os.chdir(back)


def main():
    sys.exit(suite.main([(_title(function), functools.partial(_run, function)) for function in _tests]))


# ---- what tests say ----


def equal(got, wanted, what=""):
    if got != wanted:
        raise AssertionError(f"{what or 'value'}\n     got {got!r}\n  wanted {wanted!r}")


def contains(text, part):
    if part not in text:
        raise AssertionError(f"{part!r} is not in {text!r}")


# ---- the program ----


def environment(**changes):
    """The present one without what changes colours, with `changes`."""
    names = ("NO_COLOR", "CLICOLOR_FORCE", "POSIXLY_CORRECT")
    kept = {name: value for name, value in os.environ.items() if name not in names}
    kept.update(changes)
    return kept


def allowc(*arguments, before=(), **options):
    """Runs the program; text in and out.

    `before` stands in front of it, as in strace …: then without what ALLOWC_UNDER puts there.
    """
    options.setdefault("env", environment())
    options.setdefault("stdin", None if "input" in options else subprocess.DEVNULL)
    if "input" in options:
        options.pop("stdin")
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    return subprocess.run(
        [*before, suite.ALLOWC, *arguments] if before else [*suite.program(), *arguments],
        text=True, encoding="utf-8", errors="backslashreplace", timeout=120, check=False, **options,
    )


def decided(done):
    """What a comparison says, without the gate's word on it."""
    shut = r"\n\*\*gate: shut\*\*\n\n(- .*\n)+"
    done.stdout = re.sub(rf"^(gate: .*\n|\n\*\*gate: open.*\n|{shut})", "", done.stdout, flags=re.MULTILINE)
    return done


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
