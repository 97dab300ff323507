#!/usr/bin/env python3
"""Where the system does not say where a place of ADRs leads, the gate trusts nothing that is there."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import contains, equal, needs, needs_root, test  # noqa: E402

NOBODY = 65534
READLINK = "?readlink,readlinkat"
GIT = 'allow git  adr 1  because "clones"\n'
JQ = 'allow jq  adr 2  because "cuts"\n'
RECORD = "# {0}. Tools\n\n## Status\n\nAccepted\n\n## Decision\n\n`{1}` may run.\n"


def git(*arguments):
    environment = {"PATH": os.environ["PATH"], "HOME": os.getcwd(), "GIT_CONFIG_NOSYSTEM": "1"}
    identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *identity, *arguments], env=environment, check=True, capture_output=True)


def write(path, text):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


def repository():
    """OLD is committed, with its ADRs in old/adr; NEW, in the working folder, allows jq too and has its own elsewhere:
    the gate goes by OLD's, which NEW itself no longer reads."""
    git("init", "-q")
    write("old/adr/0001-git.md", RECORD.format(1, "git"))
    write("p.allow", f'policy p\ndecisions "old/adr"\n{GIT}')
    git("add", "-A")
    git("commit", "-q", "-m", "c")
    for folder in ("old/adr", "new"):
        write(f"{folder}/0001-git.md", RECORD.format(1, "git"))
        write(f"{folder}/0002-jq.md", RECORD.format(2, "jq"))
    write("p.allow", f'policy p\ndecisions "new"\n{GIT}{JQ}')


def gate(*program):
    words = [*(program or suite.program()), "gate", "--allow", "trust-changed", "--base", "main", "p.allow"]
    return subprocess.run(words, env=tap.environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=120, check=False)  # fmt: skip


def shut(done):
    """Why the gate is shut to each row, by its rule."""
    equal((done.returncode, done.stderr), (1, ""), done.stdout)
    return re.findall(r"^gate: shut \[([a-z-]+)\] (.*)$", done.stdout, re.MULTILINE)


def failing(call, path, error):
    """The gate, where each such call for the path fails."""
    fault = ("-P", f"{os.getcwd()}/{path}", "-e", f"inject={call}:error={error}")
    return gate("strace", "-qq", "-o", "/dev/null", *fault, suite.ALLOWC)


def ordinary():
    """The gate by a copy of the program, as a user whom modes stop; the repository is theirs."""
    shutil.copy(suite.ALLOWC, "program")
    os.chmod("program", 0o755)
    for folder, _, files in os.walk("."):
        for name in (folder, *(os.path.join(folder, name) for name in files)):
            os.chown(name, NOBODY, NOBODY, follow_symlinks=False)
    return ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "./program")


@test
@needs("git")
def it_is_open_where_the_place_is_known():
    repository()
    done = gate()
    equal((done.returncode, done.stderr), (0, ""), done.stdout)


def troubled(done):
    """What the gate could not tell: it says nothing else then."""
    equal((done.returncode, done.stdout), (2, ""), done.stderr)
    return done.stderr.splitlines()


@test
@needs("git", "strace")
def it_is_trouble_where_the_system_does_not_say_what_the_project_is():
    repository()
    for call, error, said in (("newfstatat", "EACCES", "Permission denied"),
                              ("newfstatat", "EIO", "Input/output error"),
                              (READLINK, "EIO", "Input/output error")):  # fmt: skip
        equal(troubled(failing(call, ".git", error)), [
            f"allowc: cannot tell where 'old/adr' leads: {said}",
            f"allowc: cannot tell where 'new/0001-git.md' leads: {said}",
        ])  # fmt: skip


@test
@needs("git", "strace")
def it_is_trouble_where_the_system_does_not_say_where_a_place_leads():
    repository()
    for path in ("old", "old/adr"):
        equal(troubled(failing(READLINK, path, "EIO")),
              ["allowc: cannot tell where 'old/adr' leads: Input/output error"])  # fmt: skip
    equal(troubled(failing(READLINK, "old/adr/0002-jq.md", "EIO")),
          ["allowc: cannot tell where 'old/adr/0002-jq.md' leads: Input/output error"])  # fmt: skip


@test
@needs("git", "setpriv")
@needs_root
def it_is_trouble_where_a_folder_is_not_for_the_user_to_see():
    repository()
    nobody = ordinary()
    os.chmod("old", 0)
    equal(troubled(gate(*nobody)), ["allowc: cannot tell where 'old/adr' leads: Permission denied"])
    os.chmod("old", 0o755)
    os.chmod("old/adr", 0o300)
    done = gate(*nobody)
    equal((done.returncode, done.stdout, done.stderr),
          (2, "", "allowc: cannot list 'old/adr': Permission denied\n"))  # fmt: skip


@test
@needs("git", "setpriv")
@needs_root
def a_record_that_is_not_for_the_user_to_read_is_trouble():
    repository()
    nobody = ordinary()
    os.chmod("old/adr/0002-jq.md", 0)
    done = gate(*nobody)
    equal((done.returncode, done.stdout, done.stderr),
          (2, "", "allowc: cannot read 'old/adr/0002-jq.md': Permission denied\n"))  # fmt: skip


@test
@needs("git")
def what_is_gone_is_said_to_be_gone():
    repository()
    shutil.rmtree("old")
    said = "the folder 'old/adr', where OLD has the ADRs of 'p', is not there"
    equal(shut(gate()), [("adr-scope", f"p.allow:4 jq: {said}")])


@test
@needs("git")
def the_project_s_own_folder_is_inside_of_it():
    git("init", "-q")
    write("0001-git.md", RECORD.format(1, "git"))
    write("p.allow", f'policy p\ndecisions "."\n{GIT}')
    git("add", "-A")
    git("commit", "-q", "-m", "c")
    write("0002-jq.md", RECORD.format(2, "jq"))
    write("p.allow", f'policy p\ndecisions "."\n{GIT}{JQ}')
    done = gate()
    equal((done.returncode, done.stderr), (0, ""), done.stdout)
    contains(done.stdout, "gate: open, 1 widening, ratified by p/0002\n")


@test
def a_repository_is_one_though_its_git_leads_nowhere():
    """As in a container that lacks what it leads to."""
    outside = f"{os.getcwd()}-outside"
    for side, rows in (("old", GIT), ("new", GIT + JQ)):
        write(f"{side}/p.allow", f'policy p\ndecisions "adr"\n{rows}')
    try:
        for folder in ("old/adr", outside):
            write(f"{folder}/0001-git.md", RECORD.format(1, "git"))
        write(f"{outside}/0002-jq.md", RECORD.format(2, "jq"))
        os.symlink(outside, "new/adr")
        os.symlink("nowhere", ".git")
        said = shut(tap.allowc("gate", "old/p.allow", "new/p.allow"))
        equal({rule for rule, _ in said}, {"adr-scope"})
        contains(said[0][1], "the folder 'new/adr' leads out of the project")
        os.remove(".git")
        equal(tap.allowc("gate", "old/p.allow", "new/p.allow").returncode, 0)
    finally:
        shutil.rmtree(outside)


tap.main()
