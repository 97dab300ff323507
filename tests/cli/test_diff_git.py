#!/usr/bin/env python3
"""allowc diff between revisions, with a real git in temporary repositories."""

import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import allowc, contains, equal, fails, needs, passes, test  # noqa: E402

ADR = """# {number}. {title}

Date: {date}

## Status

{status}

## Decision

{text}
"""

TOOLS = "`git`, `node`, `docker`, `rg`, `docker buildx`"


def git(*arguments):
    """With no configuration but its own: an identity, and nothing of the machine's."""
    environment = {"PATH": os.environ["PATH"], "HOME": os.getcwd(), "GIT_CONFIG_NOSYSTEM": "1"}
    identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "init.defaultBranch=main"]
    return subprocess.run(["git", *identity, *arguments], env=environment, check=True, capture_output=True, text=True)


def write(path, text):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


def adr(path, number, title, date, text, status="Accepted"):
    write(path, ADR.format(number=number, title=title, date=date, status=status, text=text))


def commit(message="c"):
    git("add", "-A")
    git("commit", "-q", "-m", message)


def repository():
    git("init", "-q")


PHASE2 = """policy phase2
title "Phase 2"
decisions "../adr/phase2"

allow git  adr 0001  because "clones"
allow node  adr 0001  because "runs the harness"
allow docker  adr 0001  because "starts containers"

{rg}





# Parsers

allow tree-sitter  adr 0002  because "parses"
"""
RG = 'allow rg  adr phase2/0001  because "searches text"'
PHASE3 = """policy phase3
extends phase2

{rg}
"""
PHASE7 = """policy phase7
title "Phase 7"
extends phase3
decisions "../adr/phase7"

allow "docker buildx"  adr 0015  because "builds" {{
    requires docker >= 20.10
}}

# The gate runs what the others built.
role gate {{
    forbid git  adr 0015  because "it clones nothing"
}}




# Probes look and build nothing.

role probe {{
    forbid node  adr 0015  because "it runs nothing"
{docker}
}}
"""
DOCKER = '    forbid docker  adr 0031  because "a probe builds nothing"'


def two_branches():
    """The second example of the command line's contract: main, and HEAD on a branch of its own."""
    repository()
    adr("adr/phase2/0001-tools.md", "0001", "Tools", "2026-05-12", TOOLS)
    adr("adr/phase2/0002-grammars.md", "0002", "Grammars on the host", "2026-05-13", "`tree-sitter`")
    adr("adr/phase2/0011-grammars-in-the-image.md", "0011", "Grammars in the image", "2026-05-17", "They are built in.")
    adr("adr/phase7/0015-builders.md", "0015", "Builders", "2026-05-19", TOOLS)
    write("policies/phase2.allow", PHASE2.format(rg=""))
    write("policies/phase3.allow", PHASE3.format(rg=RG))
    write("policies/phase7.allow", PHASE7.format(docker=""))
    commit()
    git("checkout", "-q", "-b", "probes")
    adr("adr/phase2/0002-grammars.md", "0002", "Grammars on the host", "2026-05-13", "`tree-sitter`",
        status="Superseded by [0011](0011-grammars-in-the-image.md)")
    adr("adr/phase7/0031-probes.md", "0031", "Probes lose docker", "2026-06-02", "`docker`")
    write("policies/phase2.allow", PHASE2.format(rg=RG))
    write("policies/phase3.allow", PHASE3.format(rg=""))
    write("policies/phase7.allow", PHASE7.format(docker=DOCKER))
    commit()


@test
@needs("git")
def the_example_of_two_revisions():
    two_branches()
    done = allowc("diff", "main:policies/phase7.allow", "HEAD:policies/phase7.allow")
    equal(done.stdout, """\
main -> HEAD   commands narrower -2 (role probe) · ADRs: 1 superseded, 1 new
phase2/0002 "Grammars on the host"  accepted -> superseded by phase2/0011 (accepted 2026-05-17)
  ! tree-sitter            phase2.allow:17  still cites 0002; 0011 does not name it
phase7/0031 "Probes lose docker"  accepted 2026-06-02, new here
  - docker, docker buildx  phase7.allow:22  role probe; gate keeps both
no decision changed: rg moved phase3.allow:4 -> phase2.allow:9
""")
    equal(done.stderr.splitlines()[0],
          "HEAD:policies/phase2.allow:17:24: error: ADR phase2/0002 is superseded, not accepted [adr-status]")
    contains(done.stderr, "HEAD:policies/../adr/phase2/0002-grammars.md:7:1: note: its status stands here")
    equal(done.returncode, 1)
tap.main()
