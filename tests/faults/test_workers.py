#!/usr/bin/env python3
"""Somebody kills a run over many policies, or one of its workers.

No worker outlives its run; and what a killed worker would have said, the run finds out itself. The run waits for its
first policy, standard input, until the test has done its deed: nothing here depends on how quick a machine is.
"""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import equal, test  # noqa: E402

# More answers than a pipe takes, also where eight workers share them: no worker is done before the run reads.
POLICIES = 8000
NAME = "a-name-that-makes-what-the-summary-says-of-it-a-long-line"
SUMMARY = f"{NAME}: 1 command allowed, 0 forbidden\n"
INPUT = 'policy input\ndecisions "adr"\nallow git  adr 1  because "clones"\n'
WAIT = 20


def state(pid):
    """(of the process: a letter, its parent), or None where it is not there."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    letter, parent = text.rpartition(")")[2].split()[:2]
    return letter, int(parent)


def children(parent):
    pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    return [pid for pid in pids if (state(pid) or ("", 0))[1] == parent]


def is_gone(pid):
    """Dead; whoever inherits it may take time to ask how it ended."""
    found = state(pid)
    return found is None or found[0] in "ZX"


def poll(holds, what):
    end = time.monotonic() + WAIT
    while not holds():
        equal(time.monotonic() < end, True, f"{what}, within {WAIT} s")
        time.sleep(0.02)


class Run:
    """A check that has started all its workers and waits for standard input."""

    def __init__(self, *last):
        cores = len(os.sched_getaffinity(0))
        if cores < 2:
            raise suite.Impossible("one core: a run has no workers")
        if not Path("/proc/self/stat").exists():
            raise suite.Impossible("no /proc")
        tap.project(f'policy {NAME}\ndecisions "adr"\nallow git  adr 1  because "clones"\n')
        words = [suite.ALLOWC, "check", "-", *["p1.allow"] * POLICIES, *last]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)  # fmt: skip
        self.workers = []
        wanted = min(cores, 8) - 1
        try:
            poll(lambda: self.has_begun(wanted), f"{wanted} workers are there")
        except AssertionError:
            self.__exit__()
            raise

    def has_begun(self, wanted):
        """Each worker is there, and sleeps: it has seen to its end with the run, and waits for room in its pipe."""
        self.workers = children(self.process.pid)
        return len(self.workers) == wanted and all((state(pid) or "?")[0] == "S" for pid in self.workers)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for pid in self.workers:
            if not is_gone(pid):
                os.kill(pid, signal.SIGKILL)
        self.process.kill()
        self.process.communicate()

    def end(self):
        """Lets it go on: its exit status and what it says."""
        out, error = self.process.communicate(INPUT, timeout=120)
        return self.process.returncode, out, error


@test
def no_worker_outlives_a_run_that_is_killed():
    with Run() as run:
        # One that is stopped does nothing by itself: it cannot find that nobody reads its answers.
        for pid in run.workers:
            os.kill(pid, signal.SIGSTOP)
        poll(lambda: all((state(pid) or "?")[0] == "T" for pid in run.workers), "all workers are stopped")
        run.process.kill()
        equal(run.process.wait(WAIT), -signal.SIGKILL)
        poll(lambda: all(map(is_gone, run.workers)), f"no worker is left: {[state(pid) for pid in run.workers]}")


@test
def no_worker_outlives_a_run_that_is_asked_to_end():
    with Run() as run:
        run.process.terminate()
        equal(run.process.wait(WAIT), -signal.SIGTERM)
        poll(lambda: all(map(is_gone, run.workers)), "no worker is left")


@test
def what_a_killed_worker_had_to_say_the_run_says():
    with Run() as run:
        for pid in run.workers:
            os.kill(pid, signal.SIGKILL)
        equal(run.end(), (0, "input: 1 command allowed, 0 forbidden\n" + SUMMARY * POLICIES, ""))


@test
def a_mistake_in_the_part_of_a_killed_worker_is_found():
    Path("last.allow").write_text("policy last\nallwo git\n", encoding="utf-8")
    with Run("last.allow", "gone.allow") as run:
        os.kill(run.workers[-1], signal.SIGKILL)
        status, out, error = run.end()
        equal((status, len(out.splitlines())), (2, POLICIES + 1))
        equal(re.findall(r"^(last\.allow:2:1: error|allowc: .*)", error, re.MULTILINE),
              ["last.allow:2:1: error", "allowc: cannot read 'gone.allow': No such file or directory"])  # fmt: skip


tap.main()
