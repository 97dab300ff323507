#!/usr/bin/env python3
"""Every request for memory of a run fails in turn, alone and with all after it, until a run succeeds.

Either the run does what it should all the same, or it exits with 2 and says that there is no memory, and all files are
as they were, or as they shall be; the next run mends what is left.
"""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import faults  # noqa: E402
import suite  # noqa: E402
import tap  # noqa: E402
from faults import COMMANDS, Trial  # noqa: E402
from tap import equal  # noqa: E402

SHIM = suite.BUILD / "tests" / "faults" / "failing_memory.so"
DYNAMIC = suite.BUILD / "shared" / "allowc"

# Every command makes more than so many: with fewer the library before malloc() is not asked at all.
FEWEST_REQUESTS, MOST_REQUESTS = 10, 3000


def run(trial, number, to_the_end):
    """What happened, and whether a request failed at all."""
    failed = Path("kept/failed")
    failed.unlink(missing_ok=True)
    changes = {"LD_PRELOAD": str(SHIM), "MEMORY_FAILS_AT": str(number), "MEMORY_FAILED": os.path.abspath(failed)}
    if to_the_end:
        changes["MEMORY_FAILS_ON"] = "1"
    trial.restore()
    done = tap.allowc(*trial.command.arguments, before=["env", *(f"{k}={v}" for k, v in changes.items())])
    return done, failed.exists()


def fail_everywhere(command, to_the_end):
    if "-fsanitize" in os.environ.get("CFLAGS", ""):
        raise suite.Impossible("a sanitizer has its own malloc()")
    trial = Trial(command)
    for number in range(1, MOST_REQUESTS):
        done, failed = run(trial, number, to_the_end)
        place = f"{command.name}: request {number}: {done.returncode} {done.stderr}"
        if not failed:
            equal(number > FEWEST_REQUESTS, True, f"{place}: no more requests")
            equal((done.returncode, done.stdout, done.stderr), (command.status, trial.shown, ""), place)
            return
        equal(done.returncode in (command.status, 2), True, place)
        done_all = trial.all_or_nothing(place)
        if done.returncode == 2:
            equal("memory" in done.stderr.lower(), True, place)
        else:
            trial.as_ever(done, place)
            equal(done_all, True, place)
        if faults.leftovers(faults.files()) or number % 10 == 1:
            trial.mended(place)
    suite.fail(f"{command.name}: more than {MOST_REQUESTS} requests")


# The dynamic program: nothing can be put before the functions of the static one.
suite.ALLOWC = str(DYNAMIC)
for each in COMMANDS:
    for end in (False, True):
        def check(command=each, to_the_end=end):
            fail_everywhere(command, to_the_end)

        check.__doc__ = f"no memory {'from any request on' if end else 'for any one request'} of {each.name}"
        tap.test(check)

tap.main()
