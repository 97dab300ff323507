#!/usr/bin/env python3
"""What can happen to the folders of a run: they cannot be written, they go, and who owns what is in them."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import faults  # noqa: E402
import suite  # noqa: E402
import tap  # noqa: E402
from faults import COMMANDS, Command, Trial, injected  # noqa: E402
from tap import equal, needs, needs_root, test  # noqa: E402

COMPILE = COMMANDS[0]

READ_ONLY = """mount --make-rprivate / 2>/dev/null
mount -t tmpfs none disk || exit 77
cp -r project/. disk && mount -o remount,ro disk || exit 77
cd disk
"$@"; status=$?
cd ..
umount disk
exit $status
"""


def on_a_read_only_disk(trial):
    """The command in the old project, on a file system that takes nothing."""
    trial.restore()
    names = [path.name for path in Path(".").iterdir() if path.name != "kept"]
    os.makedirs("project")
    os.makedirs("disk")
    for name in names:
        shutil.move(name, f"project/{name}")
    words = ["unshare", "--mount", "--propagation", "unchanged", "sh", "-c", READ_ONLY, "sh", suite.ALLOWC]
    done = subprocess.run([*words, *trial.command.arguments], capture_output=True, text=True, check=False)
    if done.returncode == 77 or done.stderr.startswith("unshare: "):
        raise suite.Impossible(f"no tmpfs can be mounted: {done.stderr.strip()}")
    return done


@test
@needs_root
@needs("unshare", "mount")
def a_read_only_file_system_is_trouble():
    said = {
        "compile": "allowc: cannot write 'generated/.p1.allowc': Read-only file system\n",
        "sync": "allowc: cannot write 'manifest.yaml': Read-only file system\n",
        "fmt": "allowc: cannot write 'p1.allow': Read-only file system\n",
    }
    for command in COMMANDS:
        if command.name in said:
            done = on_a_read_only_disk(Trial(command))
            equal((done.returncode, done.stderr), (2, said[command.name]), command.name)
            faults.empty()


@test
@needs_root
@needs("unshare", "mount")
def nothing_to_do_needs_nothing_to_write():
    class Done(Command):
        def begin_compile(self):
            tap.project(tap.POLICY)
            tap.passes("-q", "p1.allow")

    done = on_a_read_only_disk(Trial(Done("compile", "-q", "p1.allow")))
    equal((done.returncode, done.stderr), (0, ""))


@test
@needs("flock")
def a_folder_that_goes_while_a_run_waits_for_it_is_made_again():
    trial = Trial(COMPILE)
    trial.restore()
    with subprocess.Popen(["flock", "generated", "sh", "-c", "echo; read x"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as holder:  # fmt: skip
        holder.stdout.readline()
        with subprocess.Popen([suite.ALLOWC, *COMPILE.arguments], stderr=subprocess.PIPE) as run:
            time.sleep(0.2)
            shutil.rmtree("generated")
            holder.communicate(b"\n")
            equal((run.communicate()[1], run.returncode), (b"", 0))
    equal(trial.all_or_nothing("removed while it waits"), True)


def removed_at(trial, name):
    """A run whose output folder goes while its first call of this name waits."""
    trial.restore()
    before = injected(f"{name}:delay_enter=5000000:when=1")
    with subprocess.Popen([*before, suite.ALLOWC, *COMPILE.arguments], stderr=subprocess.PIPE, text=True) as run:
        # The list's temporary file is the last that is made before anything is renamed.
        end = time.monotonic() + 10
        while not Path("generated/.p1.sha256.allowc").exists() and run.poll() is None and time.monotonic() < end:
            time.sleep(0.005)
        os.rename("generated", "away")
        shutil.rmtree("away")
        _, error = run.communicate()
    return run.returncode, error


@test
@needs("strace")
def a_folder_that_goes_while_it_is_written_is_trouble():
    tap.need_tracing()
    trial = Trial(COMPILE)
    status, error = removed_at(trial, "renameat")
    equal((status, error.splitlines()[0]),
          (2, "allowc: cannot replace 'generated/p1.h': No such file or directory"))  # fmt: skip
    trial.mended("renameat")


@test
@needs_root
def the_owner_and_the_mode_of_a_rewritten_artifact_stay():
    trial = Trial(COMPILE)
    trial.restore()
    os.chown("generated/p1.h", 1234, 4321)
    os.chmod("generated/p1.h", 0o2640)
    tap.passes(*COMPILE.arguments)
    status = os.stat("generated/p1.h")
    equal((status.st_uid, status.st_gid, oct(status.st_mode & 0o7777)), (1234, 4321, "0o2640"))
    equal(trial.all_or_nothing("another owner"), True)


@test
def no_file_is_for_all_the_world_to_write():
    old = os.umask(0)
    try:
        for command in COMMANDS:
            if command.status == 0:
                faults.empty()
                command.begin()
                tap.passes(*command.arguments)
                made = [path for path in Path(".").rglob("*") if path.stem.startswith(("p1.", "generated", "plugin"))]
                equal([str(path) for path in made if path.stat().st_mode & 0o002], [], command.name)
    finally:
        os.umask(old)


tap.main()
