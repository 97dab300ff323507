#!/usr/bin/env python3
"""The harness itself: what the runner, the golden runner and the installer say of bad input. In TAP."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import textwrap
from functools import partial
from pathlib import Path
from typing import Iterator

import suite

RUNNER: list[str | Path] = [sys.executable, suite.ROOT / "tests" / "run", "--timeout", "5"]

# A program's text, what the runner must say of it, and the sum.
PROGRAMS = {
    "all pass": ("print('1..2\\nok 1 - a\\nok 2')", "2 passed", "2 passed, 0 failed, 0 skipped"),
    "one fails": ("print('1..2\\nok 1\\nnot ok 2 - b')", "1 passed, 1 failed", "1 passed, 1 failed, 0 skipped"),
    "one is skipped": ("print('1..2\\nok 1\\nok 2 - b # SKIP no c')", "skipped: b: no c",
                       "1 passed, 0 failed, 1 skipped"),
    "cmocka skips, with a reason": ("print('1..1\\n# needs c\\nnot ok 1 # SKIP b')", "skipped: b: needs c",
                                    "0 passed, 0 failed, 1 skipped"),
    "cmocka skips": ("print('1..2\\nok 1 - a\\nnot ok 2 # SKIP b')", "skipped: b", "1 passed, 0 failed, 1 skipped"),
    "all are skipped": ("print('1..0 # SKIP no c')", "skipped: no c", "0 passed, 0 failed, 1 skipped"),
    "two groups": ("print('1..1\\nok 1 - a\\n1..1\\nok 1 - b')", "2 passed", "2 passed, 0 failed, 0 skipped"),
    "no plan": ("print('ok 1')", "no plan (exit status 0)", "1 passed, 1 failed, 0 skipped"),
    "nothing at all": ("", "no plan (exit status 0)", "0 passed, 1 failed, 0 skipped"),
    "no tests": ("print('1..0')", "no tests", "0 passed, 1 failed, 0 skipped"),
    "too few results": ("print('1..3\\nok 1\\nok 2')", "3 results planned, 2 printed",
                        "2 passed, 1 failed, 0 skipped"),
    "too many results": ("print('1..1\\nok 1\\nok 2')", "1 results planned, 2 printed",
                         "2 passed, 1 failed, 0 skipped"),
    "it dies": ("import os; print('1..1\\nok 1', flush=True); os.abort()", "killed by SIGABRT",
                "1 passed, 1 failed, 0 skipped"),
    "it fails after the last test": ("print('1..1\\nok 1'); raise SystemExit(3)",
                                     "exit status 3 without a failed test", "1 passed, 1 failed, 0 skipped"),
    "it hangs": ("import time; print('1..1\\nok 1', flush=True); time.sleep(60)", "over its 5 seconds",
                 "1 passed, 1 failed, 0 skipped"),
    "it bails out": ("print('1..2\\nok 1\\nBail out! no disk')", "Bail out! no disk",
                     "1 passed, 1 failed, 0 skipped"),
}  # fmt: skip


def runner_says(text: str, told: str, total: str, ci: bool = False) -> None:
    environment = suite.ENVIRONMENT | {"CI": "true" if ci else "false"}
    with suite.scratch() as folder:
        (folder / "fake.py").write_text(text)
        result = suite.run([*RUNNER, folder / "fake.py"], expect=None, environment=environment)
    if told not in result.stdout:
        suite.fail(f"{told!r} is not in: {result.stdout}")
    suite.same("the last line", result.stdout.splitlines()[-1], total)
    suite.same("exit status", result.returncode, 0 if ", 0 failed" in total else 1)


def ci_fails_skips() -> None:
    runner_says("print('1..2\\nok 1\\nok 2 - b # SKIP no c')", "no c", "1 passed, 1 failed, 0 skipped", ci=True)


def ci_takes_what_is_impossible() -> None:
    """Also where a test's own title says it: only the reason counts."""
    text = "print('1..3\\nok 1\\nok 2 - b # SKIP not possible here: no c\\nok 3 - not possible here: d # SKIP no e')"
    runner_says(text, "b: not possible here: no c", "1 passed, 1 failed, 1 skipped", ci=True)
    runner_says(text, "b: not possible here: no c", "1 passed, 0 failed, 2 skipped")


def no_program_is_no_success() -> None:
    suite.run(RUNNER, expect=1)


def tally_adds_up() -> None:
    """A step that broke counts once, unless its own tests failed and count already."""
    with suite.scratch() as folder:
        tally = folder / "tally"
        tally.write_text(
            '{"label": "check", "passed": 5, "failed": 1, "skipped": 0}\n'
            '{"label": "check", "broken": true}\n'
            '{"label": "lint", "broken": true}\n'
            '{"label": "asan", "passed": 4, "failed": 0, "skipped": 2}\n'
        )
        result = suite.run([*RUNNER, "--total", tally], expect=1)
        suite.same("the last line", result.stdout.splitlines()[-1], "9 passed, 2 failed, 2 skipped")


# A compiler for the golden runner: it writes a file, complains, or writes where it must not.
COMPILER = """\
    import os, sys
    text = open("policy.allow").read()
    where = "generated" if "astray" not in text else "elsewhere"
    if sys.argv[1] != "check":
        os.makedirs(where, exist_ok=True)
        open(where + "/out.h", "w").write(text)
    if "bad" in text:
        sys.exit(print("policy.allow:3:7: error: it is bad [conflict]", file=sys.stderr) or 1)
"""
BAD = {"policy.allow": "bad", "expect.code": "1", "expect.stderr": "policy.allow:3:7: error: it is bad [conflict]\n"}
GOLDEN = {
    "a valid policy": ({"policy.allow": "good"}, ""),
    "an exit status": ({"policy.allow": "bad", "intent": "error conflict 3:7"}, "exit status 1 instead of 0"),
    "an exact message": (BAD, ""),
    "another message": (BAD | {"expect.stderr": "policy.allow:3:7: error: it is odd [conflict]\n"}, "it is odd"),
    "an unexpected message": ({"policy.allow": "bad", "expect.code": "1"}, "it is bad"),
    "an intent": ({"policy.allow": "bad", "expect.code": "1", "intent": "error conflict 3:7"}, ""),
    "an intent at another place": (BAD | {"intent": "error conflict 3:8"}, "error conflict 3:8"),
    "an intent of nothing": (BAD | {"intent": "clean"}, "error conflict 3:7"),
    "a tree": ({"policy.allow": "good", "args": "policy.allow", "expect/out.h": "good"}, ""),
    "another tree": ({"policy.allow": "good", "args": "policy.allow", "expect/out.h": "best"}, "out.h"),
    "a missing file": ({"policy.allow": "good", "args": "policy.allow", "expect/x.h": "x"}, "missing: x.h"),
    "a file elsewhere": ({"policy.allow": "astray", "args": "policy.allow"}, "unexpected: elsewhere/out.h"),
    "written in spite of an error": (BAD | {"args": "policy.allow"}, "unexpected: generated/out.h"),
    "a list without its text": ({"policy.allow": "good", "args": "list"}, "needs expect.stdout"),
}


@contextlib.contextmanager
def golden_copy(files: dict[str, str]) -> Iterator[tuple[list[str | Path], dict[str, str], Path]]:
    """The golden runner beside one case and that compiler: its words, its environment, the case."""
    with suite.scratch() as scratch:
        (scratch / "tests").mkdir()
        for script in ("golden.py", "suite.py"):
            shutil.copy(suite.ROOT / "tests" / script, scratch / "tests")
        fake = scratch / "allowc"
        fake.write_text(f"#!{sys.executable}\n{textwrap.dedent(COMPILER)}")
        fake.chmod(0o755)
        case = scratch / "tests" / "golden" / "case"
        for path, text in files.items():
            file = case / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        environment = suite.ENVIRONMENT | {"ALLOWC": str(fake), "ALLOWC_UNDER": ""}
        yield [sys.executable, "-B", scratch / "tests" / "golden.py"], environment, case


def golden_says(files: dict[str, str], told: str) -> None:
    with golden_copy(files) as (runner, environment, _):
        result = suite.run(runner, expect=1 if told else 0, environment=environment)
        if told not in result.stdout:
            suite.fail(f"{told!r} is not in: {result.stdout}")


def update_refuses_to_lose_work() -> None:
    """An expectation that git does not have is never overwritten; an intent is never touched."""
    suite.need("git")
    with golden_copy({"policy.allow": "bad", "intent": "clean\n"}) as (runner, environment, case):
        root = case.parent.parent.parent
        git: list[str | Path] = ["git", "-C", root, "-c", "init.defaultBranch=main"]
        suite.run([*git, "init", "--quiet"], environment=environment)
        refused = suite.run([*runner, "--update"], expect=1, environment=environment)
        suite.same("the last line", refused.stderr.splitlines()[-1], "tests/golden/case/policy.allow")
        suite.run([*git, "add", "tests/golden"], environment=environment)
        suite.run([*runner, "--update"], environment=environment)
        suite.same("expect.code", (case / "expect.code").read_text(), "1\n")
        suite.same("expect.stderr", (case / "expect.stderr").read_text(), BAD["expect.stderr"])
        suite.same("intent", (case / "intent").read_text(), "clean\n")


def installer(packages: str) -> tuple[int, str]:
    """The installer with another list, where no apt and no sudo can be found."""
    with suite.scratch() as scratch:
        (scratch / "scripts").mkdir()
        (scratch / "bin").mkdir()
        shutil.copy(suite.ROOT / "scripts" / "dependencies", scratch / "scripts")
        (scratch / "dependencies.txt").write_text(f"[check]\n{packages}\n[other]\nallowc-nothing-of-the-kind\n")
        for tool in ("awk", "dirname", "sh", "dpkg-query", "mktemp", "rm", "cat"):
            os.symlink(shutil.which(tool) or "/bin/false", scratch / "bin" / tool)
        (scratch / "bin" / "id").write_text("#!/bin/sh\necho 1000\n")
        (scratch / "bin" / "id").chmod(0o755)
        environment = suite.ENVIRONMENT | {"PATH": str(scratch / "bin")}
        result = suite.run(["/bin/sh", scratch / "scripts" / "dependencies", "check"], expect=None,
                           environment=environment)  # fmt: skip
        return result.returncode, result.stdout + result.stderr


def installer_is_silent() -> None:
    suite.need("dpkg-query")
    suite.same("exit status and output", installer("dpkg   # of Debian"), (0, ""))


def installer_gives_the_line() -> None:
    suite.need("dpkg-query")
    status, output = installer("dpkg\nallowc-no-such-package")
    suite.same("exit status", status, 1)
    line = "  sudo apt-get install --no-install-recommends allowc-no-such-package"
    suite.same("the last line", output.splitlines()[-1], line)


def main() -> int:
    tests: list[suite.Test] = [
        (f"the runner: {name}", partial(runner_says, *program)) for name, program in PROGRAMS.items()
    ]
    tests += [("the runner: CI fails skips", ci_fails_skips),
              ("the runner: CI takes what is impossible", ci_takes_what_is_impossible),
              ("the runner: no program is no success", no_program_is_no_success),
              ("the runner: a tally adds up", tally_adds_up)]  # fmt: skip
    tests += [(f"golden: {name}", partial(golden_says, *case)) for name, case in GOLDEN.items()]
    tests += [("golden: an update refuses to lose work", update_refuses_to_lose_work),
              ("the installer is silent where all is there", installer_is_silent),
              ("the installer gives the line to run", installer_gives_the_line)]  # fmt: skip
    return suite.main(tests, jobs=2)


if __name__ == "__main__":
    sys.exit(main())
