#!/usr/bin/env python3
"""A filter that the kernel would not take is an error of the policy, and nothing is written."""

import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import allowc, contains, equal, test  # noqa: E402

LIMIT = 4096  # BPF_MAXINSNS of linux/bpf_common.h
COLUMNS = ("x86_64", "x86", "x32", "aarch64", "arm", "riscv64", "s390x", "ppc64", "loongarch64")
ERROR = re.compile(r"p\.allow:1:1: error: the seccomp filter of 'p' has (\d+) instructions, and the kernel takes 4096: "
                   r"(\w+) takes (\d+), (\w+) takes (\d+), (\w+) takes (\d+) \[filter-size\]$", re.M)


def calls():
    """Those that some ABI of the language has."""
    text = (suite.ROOT / "compiler/data/syscalls.tsv").read_text(encoding="utf-8")
    head, *rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    return [row[0] for row in rows if any(row[head.index(column)] != "-" for column in COLUMNS)]


def compile_all_apart(settings, *options):
    """Every call with an errno of its own: no two neighbours can be merged, no return can be shared."""
    rows = [f'forbid syscall {name}  adr 0001  because "r"  with errno {number}\n'
            for number, name in enumerate(calls(), start=1)]
    Path("p.allow").write_text(f"policy p\nseccomp {{ {settings} }}\n" + "".join(rows), encoding="utf-8")
    return allowc("-Wno-adr-unchecked", "-Wno-incomplete-group", "-Wno-other-abi", *options, "p.allow")


@test
def more_than_the_kernel_takes_is_an_error_that_names_the_largest():
    done = compile_all_apart("arch x86_64, aarch64, riscv64, ppc64le, loongarch64; abi x32")
    found = ERROR.search(done.stderr)
    equal((done.returncode, done.stdout, bool(found)), (1, "", True), done.stderr)
    total, first, most, second, less, third, least = found.groups()
    equal(int(total) > LIMIT, True)
    # x32's calls are in x86_64's section; then the table says who has the most calls: 461, then 430 and 424.
    equal((first, second), ("x86_64", "i386"))
    equal(third in ("arm", "ppc64le"), True, third)
    equal(int(most) >= int(less) >= int(least), True)
    contains(done.stderr, "help: name fewer ABIs with `arch` or `abi`")
    equal(os.path.exists("generated"), False)


@test
def each_byte_order_has_the_limit_for_itself():
    done = compile_all_apart("arch x86_64, aarch64, s390x", "--emit", "+listing")
    equal((done.returncode, done.stderr), (0, ""))
    # A test reaches 255 instructions far, so some ask a jump on their way: it leads to a test, and says to which.
    lines = Path("generated/p.seccomp.txt").read_text(encoding="utf-8").splitlines()
    jumps = [re.match(r"  (\d{4})  ja   (\d{4})$", line) for line in lines]
    equal([jump[0] for jump in jumps if jump and int(jump[2]) <= int(jump[1])], [])
    equal(any(jumps), True)
    sizes = [Path("generated", name).stat().st_size // 8 for name in ("p.bpf", "p.be.bpf")]
    # A call takes a test and a return at least; 390 calls are s390x's.
    equal((2 * 390 < sizes[1], sizes[0] <= LIMIT, sum(sizes) > LIMIT), (True, True, True), sizes)


@test
def conditions_that_are_too_many_name_their_call():
    """Each of 1999 values needs a comparison, and a return of its own."""
    for abi, call in (("x86_64", "socket"), ("x32", "clone")):
        argument = "domain" if call == "socket" else "flags"
        rows = [f'forbid syscall {call}({argument} == {2 * value})  adr 0001  because "r"  with errno {value}\n'
                for value in range(1, 2000)]
        text = f"policy p\nseccomp {{ abi {abi} }}\n" + "".join(rows)
        Path("p.allow").write_text(text, encoding="utf-8")
        done = allowc("-Wno-adr-unchecked", "-Wno-incomplete-group", "-Wno-other-abi", "p.allow")
        equal((done.returncode, done.stdout), (1, ""), done.stderr)
        found = re.search(rf"^p\.allow:1:1: help: the arguments of {call} take (\d+) of them: compare with ranges "
                          r"and masks \(type < 5, flags & MASK\)$", done.stderr, re.M)
        equal(bool(found), True, done.stderr)
        equal(int(found[1]) >= 1999, True, done.stderr)


@test
def the_filter_of_a_role_is_looked_at_where_another_policy_has_the_same_but_for_it():
    """A run proves once what several policies share: the second's role is its own."""
    for name, values in (("p1", 1), ("p2", 2000)):
        rows = [f'    forbid syscall socket(domain == {2 * value})  adr 0001  because "r"  with errno {value}\n'
                for value in range(1, values + 1)]
        text = f"policy {name}\nseccomp {{ abi x86_64 }}\nrole r {{\n" + "".join(rows) + "}\n"
        Path(f"{name}.allow").write_text(text, encoding="utf-8")
    done = allowc("check", "-Wno-adr-unchecked", "-Wno-incomplete-group", "p1.allow", "p2.allow")
    equal((done.returncode, done.stdout), (1, "p1: 0 commands allowed, 0 forbidden\n"), done.stderr)
    contains(done.stderr, "p2.allow:1:1: error: the seccomp filter of 'p2.r' has ")
    contains(done.stderr, " instructions, and the kernel takes 4096")


@test
def many_rows_may_deny_one_call():
    rows = [f'forbid tool{number}  adr 0001  because "r"  needs CAP_SYS_PTRACE\n' for number in range(3000)]
    Path("p.allow").write_text("policy p\n" + "".join(rows), encoding="utf-8")
    done = allowc("-Wno-adr-unchecked", "p.allow")
    equal((done.returncode, done.stderr), (0, ""))
    contains(done.stdout, "p: 0 commands allowed, 3000 forbidden; 6 system calls denied\n")


@test
def many_rows_with_one_condition_take_the_place_of_one():
    sizes = []
    for count in (1, 3000):
        rows = [f'forbid tool{number}  adr 0001  because "r"  needs syscall clone(flags & CLONE_NEWUSER)\n'
                for number in range(count)]
        Path("p.allow").write_text("policy p\n" + "".join(rows), encoding="utf-8")
        done = allowc("-Wno-adr-unchecked", "-Wno-incomplete-group", "p.allow")
        equal((done.returncode, done.stderr), (0, ""))
        sizes.append(Path("generated/p.bpf").stat().st_size)
    equal(sizes[0], sizes[1])


@test
def groups_that_share_a_condition_ask_it_once():
    sizes = []
    for second in ("write", "socket(domain == AF_INET), write"):
        text = ["policy p", "seccomp { default errno EPERM }", "syscalls @a { socket(domain == AF_INET), read }",
                f"syscalls @b {{ {second} }}", 'allow syscall @a, @b  adr 0001  because "r"\n']
        Path("p.allow").write_text("\n".join(text), encoding="utf-8")
        equal(allowc("-Wno-adr-unchecked", "p.allow").returncode, 0)
        sizes.append(Path("generated/p.bpf").stat().st_size)
    equal(sizes[0], sizes[1])


tap.main()
