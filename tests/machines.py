#!/usr/bin/env python3
"""NAME.seccomp.h on the machines that a policy can name, by a compiler for each. Answers in TAP.

The program is compiled to an object and never run: what is shown is that the compiler takes the header, that the
array which it chooses holds the bytes of NAME.bpf or NAME.be.bpf, and that it stops on every machine that the policy
does not name. loongarch64, which clang 14 has not, is only preprocessed there.
"""

from __future__ import annotations

import os
import shlex
import sys
from functools import partial
from pathlib import Path
from typing import NamedTuple

import suite

CLANG = shlex.split(os.environ.get("CLANG", "clang"))
WARNINGS = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Wconversion", "-Wundef", "-Werror"]
HOST = Path("/usr/include/x86_64-linux-gnu")
UNIT = '#include "p.seccomp.h"\nint install(void);\nint install(void)\n{\n\treturn p_install_filter();\n}\n'
POLICY = 'policy p\nseccomp {{ {} }}\nforbid syscall ptrace  adr 0001  because "a test"\n'
ERROR = "policy p does not name the ABI that this is compiled for: its filter would kill the program"


class Machine(NamedTuple):
    """An ABI as clang knows it, and where Debian has the headers of its kernel."""

    target: str
    headers: Path
    big_endian: bool = False


def cross(triple: str) -> Path:
    return Path("/usr") / triple / "include"


MACHINES = {
    "x86_64": Machine("x86_64-linux-gnu", HOST),
    "i386": Machine("i386-linux-gnu", HOST),
    "x32": Machine("x86_64-linux-gnux32", HOST),
    "aarch64": Machine("aarch64-linux-gnu", cross("aarch64-linux-gnu")),
    "arm": Machine("arm-linux-gnueabihf", cross("arm-linux-gnueabihf")),
    "riscv64": Machine("riscv64-linux-gnu", cross("riscv64-linux-gnu")),
    "s390x": Machine("s390x-linux-gnu", cross("s390x-linux-gnu"), big_endian=True),
    "ppc64le": Machine("powerpc64le-linux-gnu", cross("powerpc64le-linux-gnu")),
}

# The same processors under another ABI or byte order, and one that no policy can name.
COUSINS = ("powerpc64-linux-gnu", "aarch64_be-linux-gnu", "armeb-linux-gnueabihf", "riscv32-linux-gnu", "mips64-linux-gnu")


def policy_with(folder: Path, settings: str) -> None:
    (folder / "p.allow").write_text(POLICY.format(settings), encoding="utf-8")
    (folder / "unit.c").write_text(UNIT, encoding="utf-8")
    suite.compile_policy(folder / "p.allow", folder)


def compiled(folder: Path, machine: Machine) -> bytes:
    """The object that clang makes of the unit."""
    suite.need(CLANG[0])
    if not (machine.headers / "asm").is_dir():
        raise suite.Skip(f"{machine.headers} has no headers of a kernel")
    unit = folder / "unit.o"
    suite.run([*CLANG, f"--target={machine.target}", *WARNINGS, "-nostdinc", "-isystem", machine.headers,
               *(["-isystem", "/usr/include"] if machine.headers == HOST else []),
               "-O1", "-c", folder / "unit.c", "-o", unit])  # fmt: skip
    return unit.read_bytes()


def holds_its_program(folder: Path, name: str) -> None:
    machine = MACHINES[name]
    unit = compiled(folder, machine)
    little, big = (folder / "p.bpf").read_bytes(), (folder / "p.be.bpf").read_bytes()
    own, other = (big, little) if machine.big_endian else (little, big)
    suite.same("the program of its byte order is there", own in unit, True)
    suite.same("the other one is there", other in unit, False)


def same_alone(name: str) -> None:
    """A policy that names this ABI and no other: one file of bytes, and the array holds them."""
    machine = MACHINES[name]
    with suite.scratch() as folder:
        policy_with(folder, f"abi {name}")
        programs = {path.name for path in folder.glob("p*.bpf")}
        own = "p.be.bpf" if machine.big_endian else "p.bpf"
        suite.same("files", programs, {own})
        suite.same("the program is there", (folder / own).read_bytes() in compiled(folder, machine), True)


def is_refused(folder: Path, target: str) -> None:
    suite.need(CLANG[0])
    result = suite.run([*CLANG, f"--target={target}", "-fsyntax-only", folder / "unit.c"], expect=1)
    suite.same("says why", ERROR in result.stderr, True)


def unnamed(name: str) -> None:
    """Every other ABI is named, and this one is not."""
    with suite.scratch() as folder:
        policy_with(folder, "abi loongarch64, " + ", ".join(other for other in MACHINES if other != name))
        is_refused(folder, MACHINES[name].target)


def loongarch64(folder: Path, named: bool) -> None:
    """What its compilers define, in place of what the host's does: the text alone, nothing is assembled."""
    suite.need(CLANG[0])
    words = [*CLANG, "-E", "-P", "-U__x86_64__", "-D__loongarch64=1", folder / "unit.c"]
    if not named:
        suite.same("says why", ERROR in suite.run(words, expect=1).stderr, True)
        return
    text = suite.run(words).stdout
    length = len((folder / "p.bpf").read_bytes()) // 8
    suite.same("its array", f"p_instructions[{length}]" in text, True)
    suite.same("its way into the kernel", ("syscall 0" in text, "svc" in text, "ecall" in text), (True, False, False))


def main() -> int:
    with suite.scratch() as folder, suite.scratch() as narrow:
        policy_with(folder, "abi loongarch64, " + ", ".join(MACHINES))
        policy_with(narrow, "abi x86_64, s390x")
        tests = [(f"{name}: the array has its bytes", partial(holds_its_program, folder, name)) for name in MACHINES]
        tests += [(f"{name} alone: the array has its bytes", partial(same_alone, name)) for name in MACHINES]
        tests += [(f"{name} unnamed: an error", partial(unnamed, name)) for name in MACHINES]
        tests += [(f"{target}: an error", partial(is_refused, folder, target)) for target in COUSINS]
        tests += [("loongarch64, preprocessed", partial(loongarch64, folder, True)),
                  ("loongarch64 unnamed, preprocessed: an error", partial(loongarch64, narrow, False))]  # fmt: skip
        return suite.main(tests)


if __name__ == "__main__":
    sys.exit(main())
