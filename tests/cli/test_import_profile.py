#!/usr/bin/env python3
"""allowc import of seccomp profiles: what allowc wrote comes back, and what nobody should write ends well."""

import json
import re
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import allowc, contains, equal, passes, test  # noqa: E402

QUIET = ("-q", "-Wno-adr-unchecked", "-Wno-action", "-Wno-incomplete-group", "-Wno-other-abi",
         "-Wno-oci-replaces-default", "-Wno-fixed-condition")  # fmt: skip


def filled(policy):
    """The policy as a person who has found the decisions makes it: here all is decided by one ADR."""
    named = re.sub(r"^policy \S+$", "policy p", policy, flags=re.MULTILINE)
    return named.replace("  adr ?", '  adr 0001  because "decided"')


def compiled(policy, folder):
    """Its profiles and filters, by name."""
    Path("p.allow").write_text(policy, encoding="utf-8")
    passes(*QUIET, "--emit", "oci-seccomp,bpf", "-o", folder, "p.allow")
    return {path.name: path.read_bytes() for path in Path(folder).iterdir() if path.suffix in (".json", ".bpf")}


def imported(profile):
    """The policy of the profile, named as the other one is; import has nothing to say."""
    Path("p.json").write_bytes(profile)
    done = allowc("import", "p.json")
    equal((done.stderr, done.returncode), ("", 0), profile.decode())
    return done.stdout


def comes_back(settings, rows, filters=True):
    """`filters`: unknown numbers get the same as well, and clauses stand in the same order."""
    old = compiled(f"policy p\nseccomp {{\n{settings}\n}}\n{rows}\n", "old")
    for name in [name for name in old if name.endswith(".json")]:
        new = compiled(filled(imported(old[name])), "new")
        equal(json.loads(new[name]), json.loads(old[name]), name)
        equal(new[name], old[name], name)
        if filters:
            other = name.replace(".seccomp.json", ".bpf")
            equal(new[other] == old[other], True, other)
    return old


ROW = 'adr 0001  because "decided"'


@test
def a_deny_list_comes_back():
    comes_back("abi x86_64, aarch64", f"forbid syscall ptrace, kcmp, process_vm_readv  {ROW}")


@test
def the_default_abis_come_back():
    comes_back("deny-with errno EACCES", f"forbid syscall ptrace  {ROW}\nforbid syscall reboot  {ROW}  with kill")


@test
def an_allow_list_comes_back():
    # Unknown numbers get ENOSYS, known ones EPERM: a profile says so with a rule for each call.
    comes_back("default errno EPERM\nabi x86_64", f"allow syscall read, write, exit_group, seccomp  {ROW}")
    equal(len(imported(Path("old/p.seccomp.json").read_bytes()).splitlines()) < 20, True, "its rows are few")


@test
def other_defaults_come_back():
    comes_back("default kill\nunknown kill\nabi x86_64", f"allow syscall read, write  {ROW}")
    comes_back("default errno ENOSYS\nunknown default\nabi riscv64", f"allow syscall read, write  {ROW}")
    comes_back("default errno EACCES\nunknown kill\nabi aarch64, arm", f"allow syscall read, write  {ROW}")
    comes_back("default errno EPERM\nunknown errno EPERM\nabi x86_64, i386", f"allow syscall read  {ROW}", filters=False)


@test
def several_refusals_come_back():
    comes_back(
        "default errno EPERM\nabi x86_64",
        f"syscalls @some {{ read, write, reboot, mount }}\nallow syscall @some  {ROW}\nforbid syscall reboot  {ROW}  with log\n"
        f"forbid syscall bpf, mount  {ROW}  with kill\nforbid syscall acct  {ROW}  with errno ENOSYS",
    )


@test
def what_is_logged_comes_back():
    comes_back("abi x86_64", f"forbid syscall ptrace  {ROW}  with log")
    comes_back("default log\nabi x86_64", f"allow syscall read  {ROW}\nforbid syscall ptrace  {ROW}", filters=False)


@test
def conditions_come_back():
    # Clauses of one call may stand in another order, and unknown numbers get what the profile can say.
    comes_back(
        "default errno EPERM\nunknown default\nabi x86_64, aarch64",
        f"allow syscall read, clone((flags & CLONE_NEWUSER) == 0), socket(domain == AF_UNIX)  {ROW}\n"
        f"allow syscall personality(persona == 0), personality(persona == 8)  {ROW}\n"
        f"allow syscall socket(domain == AF_INET && (type & 0xf) == SOCK_STREAM)  {ROW}",
        filters=False,
    )
    comes_back("abi x86_64", f"forbid syscall clone(flags & CLONE_NEWUSER), unshare(flags & CLONE_NEWUSER)  {ROW}",
               filters=False)  # fmt: skip
    comes_back("abi x86_64", f"forbid syscall personality(persona >= 8), read(count > 0x100000000)  {ROW}", filters=False)
    comes_back(
        "default errno EPERM\nunknown default\nabi x86_64",
        f"syscalls @io {{ read }}\nallow syscall @io, clone((flags & CLONE_NEWUSER) == 0)  {ROW}\n"
        f"allow syscall clone3  {ROW}",
        filters=False,
    )


@test
def a_base_comes_back():
    old = compiled(
        f"policy p\nuse <std-container-2026>\nseccomp {{ base @container; abi x86_64, aarch64 }}\n"
        f"forbid syscall ptrace  {ROW}\n",
        "old",
    )
    new = compiled(filled(imported(old["p.seccomp.json"])), "new")
    equal(new["p.seccomp.json"], old["p.seccomp.json"])


@test
def both_byte_orders_come_back():
    old = compiled(f"policy p\nseccomp {{ abi x86_64, s390x }}\nforbid syscall reboot, acct  {ROW}\n", "old")
    equal(sorted(old), ["p.be.bpf", "p.be.seccomp.json", "p.bpf", "p.seccomp.json"])
    for name in ("p.seccomp.json", "p.be.seccomp.json"):
        new = compiled(filled(imported(old[name])), name + ".new")
        equal(new[name], old[name], f"{name} by itself")
    done = passes("import", "old/p.seccomp.json", "old/p.be.seccomp.json")
    equal(compiled(filled(done.stdout), "new"), old)


@test
def the_sample_comes_back():
    # And 'allowc diff' sees the same system calls.
    policies = suite.ROOT / "policies"
    passes(*QUIET, "--emit", "oci-seccomp", "-o", "old", str(policies / "phase7.allow"))
    profile = Path("old/phase7.seccomp.json").read_bytes()
    new = compiled(filled(imported(profile)), "new")
    equal(new["p.seccomp.json"], profile)
    line = allowc("diff", "-Wno-adr-unchecked", str(policies / "phase7.allow"), "p.allow").stdout.splitlines()[0]
    contains(line, "phase7 -> p ")
    equal("system calls" in line, False, line)


@test
def engines_refuse_socketcall_by_a_rule_about_socket():
    # So the policy does, too: what comes back has one rule more.
    old = compiled(f"policy p\nseccomp {{ abi i386 }}\nforbid syscall socket  {ROW}\n", "old")
    policy = imported(old["p.seccomp.json"])
    contains(policy, "    socketcall(call == 1)\n")
    new = compiled(filled(policy), "new")["p.seccomp.json"]
    equal(re.sub(" +#.*\n", "", imported(new)), re.sub(" +#.*\n", "", policy))


@test
def what_is_open_does_not_compile():
    # An ADR, and the ABI where the profile leaves that to the host.
    policy = imported(b'{"defaultAction": "SCMP_ACT_ERRNO", "syscalls": [{"names": ["read"], "action": "SCMP_ACT_ALLOW"}]}')
    Path("p.allow").write_text(policy, encoding="utf-8")
    done = allowc("check", "-Wno-adr-unchecked", "p.allow")
    equal(done.returncode, 1)
    contains(done.stderr, "'native' would make the policy depend on the host")
    Path("p.allow").write_text(filled(policy.replace("abi native", "abi x86_64")), encoding="utf-8")
    passes("check", "-Wno-adr-unchecked", "p.allow")


@test
def it_is_in_the_canonical_layout():
    profile = compiled(f"policy p\nseccomp {{ default errno EPERM }}\nallow syscall read, personality(persona == 8)  {ROW}\n",
                       "old")["p.seccomp.json"]  # fmt: skip
    policy = filled(imported(profile))
    equal(allowc("fmt", "-", input=policy).stdout, policy)


# ---- size ----


def within(seconds, function):
    begun = time.monotonic()
    function()
    equal(time.monotonic() - begun < seconds, True, f"it took {time.monotonic() - begun:.1f} s")


@test
def a_large_profile_takes_no_long():
    # 100,000 rules about one call; and 100,000 mistakes, of which 20 are shown.
    rules = [
        {"names": ["personality"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": value, "op": "SCMP_CMP_EQ"}]}
        for value in range(100000)
    ]
    whole = {"defaultAction": "SCMP_ACT_ERRNO", "architectures": ["SCMP_ARCH_X86_64"], "syscalls": rules}
    text = json.dumps(whole).encode()
    within(20, lambda: equal(imported(text).count("    personality(persona == "), 100000))
    Path("p.json").write_bytes(text.replace(b"SCMP_CMP_EQ", b"SCMP_CMP_QE"))

    def wrong():
        done = allowc("import", "--max-errors", "0", "p.json")
        equal((done.returncode, done.stdout, done.stderr.count("error: ")), (1, "", 20))

    within(20, wrong)


if __name__ == "__main__":
    tap.main()
