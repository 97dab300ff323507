#!/usr/bin/env python3
"""Somebody stops a run: by SIGINT, SIGTERM or SIGHUP at any system call, by SIGKILL at any moment.

The first three are clean: the process ends by the signal, and no file is half done, nor a temporary one left. After
a kill each file is whole, and the next run does the rest.
"""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import faults  # noqa: E402
import suite  # noqa: E402
import tap  # noqa: E402
from faults import COMMANDS, Command, Trial, injected  # noqa: E402
from tap import equal  # noqa: E402

STOPPING = ("INT", "TERM", "HUP")

PLUGINS = 200
KILLS = 200


def stop(trial, name, number, word):
    done = trial.run(*injected(f"{name}:signal={word}:when={number}"))
    place = f"{trial.command.name}: SIG{word} at {name} {number}: {done.returncode}"
    equal(done.returncode, -getattr(signal, f"SIG{word}"), place)
    equal(done.stderr, "", place)
    trial.all_or_nothing(place)
    equal(faults.leftovers(faults.files()), [], place)


def stop_everywhere(command):
    tap.need_tracing()
    trial = Trial(command)
    calls = faults.calls_of(trial.run)
    # One of the three at each call, in turn: they are blocked and let through together.
    for index, (name, number) in enumerate(calls):
        stop(trial, name, number, STOPPING[index % 3])
        if index % 10 == 0:
            trial.mended(f"{command.name}: {name} {number}")


for each in COMMANDS:
    def check(command=each):
        stop_everywhere(command)

    check.__doc__ = f"SIGINT, SIGTERM and SIGHUP at any system call of {each.name}"
    tap.test(check)


class Rewriting(Command):
    """Every one of 200 manifests changes."""

    def plugins(self, command):
        rows = f'policy p1\ndecisions "adr"\nallow {command}  adr 0001  because "all want it"\n'
        return rows + "".join(f"plugin p{i:03}xx{i:03} {{ tools {command} }}\n" for i in range(PLUGINS))

    def begin_compile(self):
        tap.project(self.plugins("docker"))
        tap.passes("-q", "p1.allow")
        tap.project(self.plugins("git"))


@tap.test
def two_hundred_kills_while_two_hundred_files_are_rewritten():
    """200 kills while 200 artifacts are rewritten"""
    trial = Trial(Rewriting("compile", "-q", "p1.allow"))
    equal(len(trial.new) > PLUGINS, True)
    trial.restore()
    start = time.monotonic()
    tap.passes(*trial.command.arguments)
    takes = time.monotonic() - start
    # Whatever the moments are, what must hold is the same; these are for a person who looks into a failure.
    moments, killed = random.Random(8), 0
    for number in range(KILLS):
        if number % 10 == 0:
            trial.restore()
        else:
            tap.project(trial.command.plugins("git" if number % 2 else "docker"))
        after = moments.uniform(0, takes)
        run = subprocess.Popen([suite.ALLOWC, *trial.command.arguments], stderr=subprocess.DEVNULL)
        time.sleep(after)
        run.kill()
        killed += run.wait() == -signal.SIGKILL
        tap.project(trial.command.plugins("git"))
        trial.whole(f"kill {number} after {after:.4f} s")
    equal(killed > 0, True, f"{killed} runs were killed")
    trial.mended("after all kills")


# ---- what a run writes to


def unread(action):
    """A run whose standard output nobody reads any more, with SIGPIPE as it is by default, or ignored."""
    read, write = os.pipe()
    os.close(read)
    try:
        return tap.allowc("p1.allow", stdout=write, preexec_fn=lambda: signal.signal(signal.SIGPIPE, action))
    finally:
        os.close(write)


@tap.test
def a_reader_of_standard_output_that_goes_ends_the_run_by_sigpipe():
    trial = Trial(COMMANDS[0])
    trial.restore()
    done = unread(signal.SIG_DFL)
    equal((done.returncode, done.stderr), (-signal.SIGPIPE, ""))
    equal(trial.all_or_nothing("SIGPIPE"), True)
    equal(faults.leftovers(faults.files()), [])


@tap.test
def where_sigpipe_is_ignored_that_is_trouble():
    trial = Trial(COMMANDS[0])
    trial.restore()
    done = unread(signal.SIG_IGN)
    equal((done.returncode, done.stderr), (2, "allowc: cannot write to standard output: Broken pipe\n"))
    equal(trial.all_or_nothing("ignored SIGPIPE"), True)


@tap.test
def a_full_standard_error_is_trouble_and_writes_nothing():
    if not os.path.exists("/dev/full"):
        raise suite.Impossible("no /dev/full")
    trial = Trial(COMMANDS[0])
    trial.restore()
    tap.project(tap.CHANGED.replace("allow git", "alow git"))
    with open("/dev/full", "w", encoding="utf-8") as full:
        equal(tap.allowc("p1.allow", stderr=full).returncode, 2)
    tap.project(tap.CHANGED)
    equal(trial.all_or_nothing("full standard error"), trial.old == trial.new)


@tap.test
def all_three_closed_changes_no_file_that_takes_their_place():
    """Without standard input, output and error no file that the run opens is taken for one of them"""
    trial = Trial(COMMANDS[0])
    trial.restore()

    def close():
        for fd in (0, 1, 2):
            os.close(fd)

    done = tap.allowc("p1.allow", stdin=None, stdout=None, stderr=None, preexec_fn=close)
    equal(done.returncode, 2)
    equal(trial.all_or_nothing("closed"), True)
    trial.mended("closed")


tap.main()
