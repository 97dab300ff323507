#!/usr/bin/env python3
"""Every system call of a run fails in turn.

Either the run does what it should all the same, or it exits with 2, names the file or what else it could not do, and
all files are as they were. The next run mends what is left.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import faults  # noqa: E402
import suite  # noqa: E402
import tap  # noqa: E402
from faults import COMMANDS, CONFLICT, Trial, injected  # noqa: E402
from tap import equal  # noqa: E402

# Which failures a call can have at all: memory has its own, and few calls are interrupted.
MEMORY = ("mmap", "mremap", "brk")
OPENING = ("open", "openat")
WRITING = ("write", "openat", "mkdir", "mkdirat", "renameat", "renameat2", "ftruncate", "fsetxattr", "linkat")
INTERRUPTED = ("read", "write", "openat", "close", "flock", "ftruncate")

# After these every file is new: the trouble is that nobody was told, or that the journal stays for the next run.
AFTERWARDS = ("cannot write to standard output", "cannot remove 'generated/.p1.allowc'", "cannot write 'p1.d'",
              "cannot write 'p1.stamp'")  # fmt: skip


def errors_of(name, command):
    if name in MEMORY:
        return ["ENOMEM"]
    chosen = ["EIO"]
    # The other commands open and write by the same functions.
    if command.name != "compile":
        return chosen + (["EINTR"] if name in ("read", "write") else [])
    chosen += ["EMFILE"] if name in OPENING else []
    chosen += ["ENOSPC", "EDQUOT"] if name in WRITING else []
    chosen += ["EINTR"] if name in INTERRUPTED else []
    return chosen


# The program's own line: what it could not do to a file, which stands in quotes, or what else has failed.
SAID = re.compile(r"allowc: (?:(?:[^']*[^\w'])?'[^']+'|.*out of memory|.*standard (?:output|input))")


def is_said(text):
    return bool(SAID.match(text))


def fail_once(trial, name, number, error):
    place = f"{trial.command.name}: {error} of {name} {number}"
    done = trial.run(*injected(f"{name}:error={error}:when={number}"))
    place += f": {done.returncode} {done.stderr}"
    equal(done.returncode in (trial.command.status, 2), True, place)
    new = trial.all_or_nothing(place)
    if done.returncode == 2:
        # Where standard error itself fails, nobody can be told.
        equal(is_said(done.stderr) or not done.stderr and name == "write", True, place)
        afterwards = any(text in done.stderr for text in AFTERWARDS) or trial.old == trial.new
        equal(new in (False, afterwards), True, place)
    else:
        trial.as_ever(done, place)
        equal(new, True, place)
    if number % 5 == 0 or faults.leftovers(faults.files()):
        trial.mended(place)


def fail_everywhere(command):
    tap.need_tracing()
    trial = Trial(command)
    calls = faults.calls_of(trial.run)
    equal(10 < len(calls) < 300, True, f"{len(calls)} calls")
    findings = []
    for name, number in calls:
        for error in errors_of(name, command):
            try:
                fail_once(trial, name, number, error)
            except AssertionError as failure:
                findings.append(str(failure))
    if findings:
        suite.fail("\n".join(findings[:99]) + f"\n{len(findings)} in all")


for each in (*COMMANDS, CONFLICT):
    def check(command=each):
        fail_everywhere(command)

    check.__doc__ = f"a failure of any system call of {each.name}"
    tap.test(check)

tap.main()
