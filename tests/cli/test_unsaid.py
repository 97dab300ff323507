#!/usr/bin/env python3
"""What the system does not say, nobody guesses: a place, a folder's entries, another policy's list.

Each is trouble that names what could not be looked at, and no file changes.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import equal, needs, needs_root, passes, project, snapshot, test  # noqa: E402

NOBODY = 65534
IN_PLACE = 'policy p1\ndecisions "adr"\nallow git  adr 0001  because "clones"\noutput c-header "src/tools.h"\n'


def run(*words):
    return subprocess.run(words, env=tap.environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=120, check=False)  # fmt: skip


def ordinary(*arguments):
    """A copy of the program, as a user whom modes stop, in folders that are theirs."""
    shutil.copy(suite.ALLOWC, "program")
    os.chmod("program", 0o755)
    for folder, _, files in os.walk("."):
        for name in (folder, *(os.path.join(folder, name) for name in files)):
            os.chown(name, NOBODY, NOBODY, follow_symlinks=False)
    return run("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "./program", *arguments)


def failing(path, fault, *arguments):
    """A run in which each such call for the path fails."""
    return run("strace", "-qq", "-o", "/dev/null", "-P", f"{os.getcwd()}/{path}", "-e", f"inject={fault}",
               suite.ALLOWC, *arguments)  # fmt: skip


def in_place():
    """An artifact that people committed, out of date."""
    os.makedirs(".git")
    os.makedirs("src")
    project(IN_PLACE)
    passes("sync", "-q", "p1.allow")
    project(IN_PLACE.replace("git", "docker"))


def is_trouble(done, said):
    equal((done.returncode, done.stdout, done.stderr), (2, "", f"allowc: {said}\n"))


@test
@needs("strace")
def a_project_is_not_guessed():
    in_place()
    before = snapshot(".")
    for error, said in (("EACCES", "Permission denied"), ("EIO", "Input/output error")):
        done = failing(".git", f"newfstatat:error={error}", "sync", "p1.allow")
        is_trouble(done, f"cannot find the project of 'p1.sync.sha256': {said}")
    equal(snapshot("."), before)


@test
@needs("setpriv")
@needs_root
def a_folder_that_may_not_be_entered_is_not_guessed():
    in_place()
    os.chmod("src", 0)
    done = ordinary("sync", "p1.allow")
    is_trouble(done, "cannot find the folder of 'src/tools.h': Permission denied")


@test
@needs("setpriv")
@needs_root
def artifacts_of_others_are_not_guessed():
    project(tap.POLICY)
    passes("-q", "p1.allow")
    project(tap.POLICY.replace("policy p1", "policy p2"), "p2.allow")
    before = snapshot()
    os.chmod("generated/p1.sha256", 0)
    is_trouble(ordinary("p2.allow"), "cannot read 'generated/p1.sha256': Permission denied")
    equal(snapshot(), before)
    os.chmod("generated/p1.sha256", 0o644)
    os.chmod("generated", 0o300)
    is_trouble(ordinary("p2.allow"), "cannot open the folder 'generated': Permission denied")
    equal(snapshot(), before)


@test
@needs("strace")
def a_folder_that_is_not_listed_is_not_written():
    project(tap.POLICY)
    passes("-q", "p1.allow")
    before = snapshot()
    project(tap.CHANGED)
    done = failing("generated", "getdents64:error=EIO", "p1.allow")
    is_trouble(done, "cannot list the folder 'generated': Input/output error")
    equal(snapshot(), before)


@test
@needs("strace")
def rules_that_could_not_be_written_whole_are_none():
    project(tap.POLICY)
    passes("-q", "--depfile", "p1.d", "p1.allow")
    done = failing("p1.d", "write:error=ENOSPC", "-q", "--depfile", "p1.d", "p1.allow")
    is_trouble(done, "cannot write 'p1.d': No space left on device")
    equal(Path("p1.d").read_bytes(), b"")


tap.main()
