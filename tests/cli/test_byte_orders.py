#!/usr/bin/env python3
"""NAME.be.bpf is an artifact like any other: listed, checked, removed when no big-endian ABI is named."""

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap  # noqa: E402
from tap import allowc, contains, equal, fails, passes, snapshot, test  # noqa: E402

BOTH = "x86_64, s390x"


ADR = "# 1. Accounting\n\n## Status\n\nAccepted\n\n## Decision\n\nNo `acct`.\n"
POLICY = """policy p
decisions "adr"
seccomp {{ abi {} }}
forbid syscall acct  adr 0001  because "no accounting"
"""


def project(abis):
    Path("adr").mkdir(exist_ok=True)
    Path("adr/0001-accounting.md").write_text(ADR, encoding="utf-8")
    Path("p.allow").write_text(POLICY.format(abis), encoding="utf-8")


def write(abis):
    project(abis)
    return passes("--emit", "bpf", "p.allow")


def listed():
    return [line.split("  ")[1] for line in Path("generated/p.sha256").read_text(encoding="utf-8").splitlines()]


def words(name):
    """The filter's instructions as od shows them with this byte order: code, jumps, constant."""
    order = "big" if name.endswith(".be.bpf") else "little"
    data = Path("generated", name).read_bytes()
    return [(int.from_bytes(data[at:at + 2], order), data[at + 2], data[at + 3],
             int.from_bytes(data[at + 4:at + 8], order)) for at in range(0, len(data), 8)]


@test
def both_files_are_listed_with_their_hashes():
    write(BOTH)
    equal(listed(), ["p.be.bpf", "p.bpf"])
    done = subprocess.run(["sha256sum", "--strict", "-c", "p.sha256"], cwd="generated", capture_output=True,
                          text=True, check=False)
    equal((done.returncode, done.stdout), (0, "p.be.bpf: OK\np.bpf: OK\n"))


@test
def an_audit_has_both_files_too():
    project(BOTH)
    passes("--audit", "--emit", "bpf", "p.allow")
    equal(listed(), ["p.audit.be.bpf", "p.audit.bpf"])
    refused = {0x80000000, 0x00050001}  # SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_ERRNO with EPERM
    for name in listed():
        equal(refused & {item[3] for item in words(name) if item[0] == 0x06}, set())


@test
def each_file_asks_for_its_own_token_first():
    write(BOTH)
    load_arch = (0x20, 0, 0, 4)
    equal((words("p.bpf")[0], words("p.be.bpf")[0]), (load_arch, load_arch))
    equal([item[3] for item in (words("p.bpf")[1], words("p.be.bpf")[1])], [0xC000003E, 0x80000016])


@test
def a_file_whose_order_is_no_longer_named_is_removed():
    write(BOTH)
    contains(write("x86_64").stdout, "  removed    generated/p.be.bpf\n")
    equal(listed(), ["p.bpf"])
    write(BOTH)
    contains(write("s390x").stdout, "  removed    generated/p.bpf\n")
    equal(listed(), ["p.be.bpf"])
    equal(sorted(snapshot()), ["p.be.bpf", "p.sha256"])


@test
def check_tells_what_is_wrong_with_it():
    write(BOTH)
    passes("--check", "--emit", "bpf", "p.allow")
    path = Path("generated/p.be.bpf")
    good = path.read_bytes()
    path.write_bytes(good[:-1] + b"\1")
    contains(check(), "  edited     generated/p.be.bpf\n")
    path.unlink()
    contains(check(), "  missing    generated/p.be.bpf\n")
    path.write_bytes(good)
    project("x86_64")
    contains(check(), "  orphaned   generated/p.be.bpf\n")


def check():
    done = allowc("--check", "--emit", "bpf", "p.allow")
    equal(done.returncode, 1, done.stderr)
    return done.stdout


@test
def an_edited_one_stops_the_run():
    write(BOTH)
    Path("generated/p.be.bpf").write_bytes(b"edited")
    contains(fails(1, "--emit", "bpf", "p.allow"), "'generated/p.be.bpf' was edited since allowc wrote it [output]")


tap.main()
