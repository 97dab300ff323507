#!/usr/bin/env python3
"""A profile for container engines that the policy outgrew: engines must not go on with the older one."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap  # noqa: E402
from tap import allowc, contains, equal, passes, test  # noqa: E402

LISTED = """policy p
decisions "adr"
seccomp { default errno EPERM; abi x86_64 }
allow syscall read, socket, clone  adr 0001  because "listed"
"""
# Two calls that are refused in part, each with an errno of its own: a profile has one default.
OUTGROWN = LISTED + """forbid syscall socket(domain == AF_ALG)  adr 0001  because "r"  with errno EAFNOSUPPORT
forbid syscall clone(flags & CLONE_NEWUSER)  adr 0001  because "r"  with errno EACCES
"""
QUIET = ("-Wno-incomplete-group", "-Wno-oci-left-out", "-Wno-adr-silent")


def project(text):
    Path("adr").mkdir(exist_ok=True)
    Path("adr/0001-calls.md").write_text("# 1. Calls\n\nStatus: Accepted\n", encoding="utf-8")
    Path("p.allow").write_text(text, encoding="utf-8")


def grow():
    project(LISTED)
    passes(*QUIET, "p.allow")
    equal(Path("generated/p.seccomp.json").exists(), True)
    project(OUTGROWN)


@test
def it_is_an_orphan_and_leaves():
    grow()
    done = allowc(*QUIET, "--check", "p.allow")
    equal(done.returncode, 1)
    contains(done.stdout, "  orphaned   generated/p.seccomp.json\n")
    contains(passes(*QUIET, "p.allow").stdout, "  removed    generated/p.seccomp.json\n")
    equal(Path("generated/p.seccomp.json").exists(), False)
    equal("seccomp.json" in Path("generated/p.sha256").read_text(encoding="utf-8"), False)
    passes(*QUIET, "--check", "p.allow")


@test
def edited_by_hand_it_stays_and_is_told():
    grow()
    Path("generated/p.seccomp.json").write_text("{}\n", encoding="utf-8")
    done = allowc(*QUIET, "p.allow")
    contains(done.stdout + done.stderr, "generated/p.seccomp.json")
    equal(Path("generated/p.seccomp.json").read_text(encoding="utf-8"), "{}\n")


@test
def asked_for_by_name_it_is_an_error():
    grow()
    done = allowc(*QUIET, "--emit", "oci-seccomp", "p.allow")
    equal(done.returncode, 1)
    contains(done.stderr, "[oci-condition]")
    equal(Path("generated/p.seccomp.json").exists(), True)


tap.main()
