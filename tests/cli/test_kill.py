#!/usr/bin/env python3
"""A kill, and a failure, at every system call of the writing phase.

After each kill every artifact is whole, old or new, and the next run mends the folder and leaves nothing
over. After each failure all artifacts are old, or the run did succeed.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap  # noqa: E402
from tap import allowc, equal, passes, project, snapshot, test  # noqa: E402

# Each call costs a run under strace and two without.
MOST_CALLS = 200

# Memory is not the folder's business, and there is no return from these.
PASSED_OVER = ("mmap", "munmap", "mremap", "mprotect", "madvise", "brk", "exit", "exit_group")


def traced(inject):
    """Under strace, which writes down that call alone: all of them would take longer than the run."""
    return ["strace", "-qq", "-o", "/dev/null", "-e", f"trace={inject.partition(':')[0]}", "-e", f"inject={inject}"]


def writing_calls():
    """[(name, N)]: every system call from the lock on, each with its count among those of its name."""
    allowc("-q", "p1.allow", before=["strace", "-f", "-qq", "-o", "log"])
    counts, calls, begun = {}, [], False
    for line in Path("log").read_text(encoding="utf-8").splitlines():
        name = re.match(r"\d+ +([a-z0-9_]+)\(", line)
        if not name:
            continue
        name = name[1]
        if begun and name == "prlimit64":
            break  # `make cover`: what comes now are its counts, for which it makes room
        counts[name] = counts.get(name, 0) + 1
        begun = begun or name == "flock"
        if begun and name not in PASSED_OVER:
            calls.append((name, counts[name]))
    equal(len(calls) > 20, True, calls)
    equal(len(calls) < MOST_CALLS, True, f"{len(calls)} calls to try one by one: the tests would take too long")
    return calls


def restore(saved):
    shutil.rmtree("generated", ignore_errors=True)
    if saved:
        shutil.copytree(saved, "generated")


class Change:
    """A folder with the artifacts of one policy, and a second policy to compile over them."""

    def __init__(self, first, second):
        project(second)
        passes("-q", "p1.allow")
        self.new = snapshot()
        os.rename("generated", "new")
        self.old, self.saved = {}, None
        if first is not None:
            project(first)
            passes("-q", "p1.allow")
            self.old, self.saved = snapshot(), "old"
            os.rename("generated", "old")
        project(second)

    def restore(self):
        restore(self.saved)

    def whole(self, place):
        """Every file that is an artifact's is one of the two."""
        for name, text in snapshot().items():
            if not os.path.basename(name).startswith(".") and text is not None:
                equal(text in (self.old.get(name), self.new.get(name)), True, f"{place}: {name}")

    def mended(self, place):
        done = allowc("-q", "p1.allow")
        equal((done.returncode, done.stderr), (0, ""), place)
        equal(snapshot(), self.new, place)


def kill_everywhere(change):
    change.restore()
    killed = 0
    for place in writing_calls():
        change.restore()
        done = allowc("-q", "p1.allow", before=traced(f"{place[0]}:signal=KILL:when={place[1]}"))
        killed += done.returncode != 0
        current = allowc("--check", "-q", "p1.allow").returncode == 0
        equal(current, snapshot() == change.new, place)
        change.whole(place)
        change.mended(place)
    equal(killed > 20, True, f"{killed} runs were killed")


@test
def a_kill_anywhere_in_a_first_run():
    tap.need_tracing()
    kill_everywhere(Change(None, tap.CHANGED))


@test
def a_kill_anywhere_in_a_run_over_old_artifacts():
    tap.need_tracing()
    kill_everywhere(Change(tap.POLICY, tap.CHANGED))


@test
def a_kill_anywhere_and_back_to_the_old_policy():
    tap.need_tracing()
    change = Change(tap.POLICY, tap.CHANGED)
    change.restore()
    for place in writing_calls():
        change.restore()
        project(tap.CHANGED)
        allowc("-q", "p1.allow", before=traced(f"{place[0]}:signal=KILL:when={place[1]}"))
        project(tap.POLICY)
        done = allowc("-q", "p1.allow")
        equal((done.returncode, done.stderr), (0, ""), place)
        equal(snapshot(), change.old, place)


@test
def a_kill_anywhere_in_the_run_that_mends():
    tap.need_tracing()
    change = Change(tap.POLICY, tap.CHANGED)
    change.restore()
    renames = [place for place in writing_calls() if place[0].startswith("rename")]
    change.restore()
    middle = renames[len(renames) // 2]
    allowc("-q", "p1.allow", before=traced(f"{middle[0]}:signal=KILL:when={middle[1]}"))
    os.rename("generated", "half")
    change.saved = "half"
    kill_everywhere(change)


@test
def a_kill_with_another_choice_of_artifacts_next():
    """What a killed run wrote for a backend that the next run does not select stays allowc's own"""
    tap.need_tracing()
    change = Change(tap.POLICY, tap.CHANGED)
    change.restore()
    renames = sum(1 for place in writing_calls() if place[0] == "renameat")
    for number in range(1, renames + 2):
        change.restore()
        allowc("-q", "--emit", "all", "p1.allow", before=traced(f"renameat:signal=KILL:when={number}"))
        passes("-q", "--emit", "c-header", "p1.allow")
        passes("-q", "--emit", "all", "-Wno-oci-replaces-default", "p1.allow")
        equal([name for name in snapshot() if "allowc" in name], [], number)
        done = subprocess.run(["sha256sum", "--quiet", "-c", "p1.sha256"], cwd="generated", check=False)
        equal(done.returncode, 0)


# Calls that change nothing; a failure of any other, one that is new here too, is tried.
READING = ("flock", "read", "lseek", "fstat", "newfstatat", "umask")


def artifacts(found):
    """Files alone, without the journal and temporary files."""
    return {name: text for name, text in found.items() if text is not None and not name.endswith(".allowc")}


def error_everywhere(change):
    change.restore()
    for place in writing_calls():
        if place[0] in READING:
            continue
        change.restore()
        done = allowc("-q", "p1.allow", before=traced(f"{place[0]}:error=EIO:when={place[1]}"))
        equal(done.returncode in (0, 2), True, (place, done))
        equal("allowc: cannot" in done.stderr, done.returncode == 2, (place, done))
        through = done.returncode == 0 or "cannot remove 'generated/.p1.allowc'" in done.stderr
        equal(artifacts(snapshot()), artifacts(change.new if through else change.old), (place, done.stderr))
        passes("-q", "p1.allow")
        equal([name for name in snapshot() if name.endswith(".allowc")], [], place)
        equal(artifacts(snapshot()), artifacts(change.new), place)


@test
def an_error_anywhere_in_a_first_run_leaves_nothing_or_all():
    tap.need_tracing()
    error_everywhere(Change(None, tap.CHANGED))


@test
def an_error_anywhere_leaves_all_old_or_all_new():
    tap.need_tracing()
    error_everywhere(Change(tap.POLICY, tap.CHANGED))


tap.main()
