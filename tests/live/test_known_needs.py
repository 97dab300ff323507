#!/usr/bin/env python3
"""-Wknown-needs, tried: each program of compiler/data/known_needs.c works, and no more once what it needs is denied.

Denied calls get EPERM from a filter; a capability that gates no call by its number is dropped. Needs root; answers in
TAP. A program that does not work here under a filter that denies it nothing is left out, with its own words.
"""

from __future__ import annotations

import dataclasses
import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
from engines import Bundle, build_probe  # noqa: E402
from strength_trials import Trials  # noqa: E402

TABLE = suite.ROOT / "compiler" / "data" / "known_needs.c"
ROW = re.compile(r'^\t(CALLS|CAPABILITY)\("([^"]+)",(.*?)\),$', re.MULTILINE | re.DOTALL)
PRIVATE_MOUNTS = ["unshare", "--mount"]
# linux/capability.h; of those that gate no call by number.
DROPPED = {"CAP_SETUID": "7", "CAP_NET_ADMIN": "12", "CAP_NET_RAW": "13"}


def known_needs() -> dict[str, list[str]]:
    """Calls, or one capability, by program."""
    found = {}
    for kind, program, rest in ROW.findall(TABLE.read_text(encoding="utf-8")):
        words = re.findall(r'"([^"]*)"', rest)
        found[program] = words[1:] if kind == "CALLS" else words[:1]
    return found


@dataclasses.dataclass
class Use:
    """A way to use the program: it works where it exits with 0, or says `sign`. {} is a folder of its own."""

    words: list[str]
    sign: str = ""
    before: list[str] = dataclasses.field(default_factory=list)  # outside the filter

    def works(self, result: subprocess.CompletedProcess[str]) -> bool:
        said = result.stdout + result.stderr
        return self.sign in said if self.sign else result.returncode == 0


OCI = ["--root", "{}/state", "run", "--bundle", "{}", "allowc-trial"]
USES = {
    "bpftool": Use(["bpftool", "prog", "list"]),
    "bpftrace": Use(["bpftrace", "-e", "BEGIN { exit(); }"]),
    "bwrap": Use(["bwrap", "--dev-bind", "/", "/", "true"]),
    "chroot": Use(["chroot", "/", "true"]),
    "crun": Use(["crun", *OCI], "runs\n", ["unshare", "--mount", "sh", "-c",
                                           'mount -t cgroup2 none /sys/fs/cgroup && exec "$@"', "sh"]),
    "gdb": Use(["gdb", "-batch", "-nx", "-ex", "run", "true"], "exited normally"),
    "gdbserver": Use(["timeout", "2", "gdbserver", "--once", "127.0.0.1:0", "true"], "Listening on port"),
    "insmod": Use(["insmod", "{}/none.ko"], "Invalid module format"),
    "iptables": Use(["iptables", "--list"]),
    "keyctl": Use(["keyctl", "show", "@s"]),
    "ltrace": Use(["ltrace", "-o", os.devnull, "true"]),
    "mount": Use(["mount", "-t", "tmpfs", "none", "{}"], before=PRIVATE_MOUNTS),
    "nft": Use(["nft", "list", "tables"]),
    "nsenter": Use(["nsenter", "--uts=/proc/self/ns/uts", "true"]),
    "perf": Use(["perf", "stat", "-e", "task-clock", "true"]),
    "pivot_root": Use(["pivot_root", ".", "."], "resource busy", PRIVATE_MOUNTS),
    "runc": Use(["runc", *OCI], "runs\n"),
    "strace": Use(["strace", "-o", os.devnull, "true"]),
    "su": Use(["su", "-s", "/bin/sh", "nobody", "-c", "true"]),
    "sudo": Use(["sudo", "-n", "-u", "nobody", "true"]),
    "swapoff": Use(["swapoff", "{}/none.ko"], "Invalid argument"),
    # On tmpfs, where no kernel takes it.
    "swapon": Use(["swapon", "{}/swap"], "Invalid argument",
                  [*PRIVATE_MOUNTS, "sh", "-c", 'mount -t tmpfs none "$0" && head -c 64K /dev/zero >"$0/swap" && '
                   'chmod 600 "$0/swap" && mkswap "$0/swap" >/dev/null && exec "$@"', "{}"]),
    "systemd-nspawn": Use(["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--resolv-conf=off",
                           "--timezone=off", "--machine=allowc-trial", "-D", "{}/rootfs", "/probe", "--plain"], "runs\n"),
    "tcpdump": Use(["timeout", "--signal=INT", "1", "tcpdump", "-i", "lo", "-w", os.devnull], "listening on lo"),
    "umount": Use(["umount", "{}"], before=[*PRIVATE_MOUNTS, "sh", "-c", 'mount -t tmpfs none "$0" && exec "$@"', "{}"]),
    "unshare": Use(["unshare", "--uts", "true"]),
}  # fmt: skip
UNTRIED = {
    "kexec": "it would load another kernel: kexec_load(2) names the capability",
    "lldb-server": "its package brings LLVM: ptrace(2) is all that a debugger has",
    "modprobe": "no module of a kernel that runs elsewhere: init_module(2), as insmod",
    "rmmod": "it looks into /sys/module before it calls the kernel: delete_module(2) names the capability",
}


class Needs:
    def __init__(self, folder: Path):
        self.trials = Trials(folder)
        self.folder = folder
        self.bundle = Bundle(folder / "bundle", build_probe(folder))
        self.bundle.write(None, "--plain")
        (self.bundle.folder / "none.ko").write_bytes(b"\x7fELF" + bytes(4096))
        self.harmless = self.trials.filter_of("harmless", "forbid syscall kcmp")
        self.denied: dict[str, list[str | Path]] = {}

    def options(self, need: str) -> list[str | Path]:
        """Of strength.c: what takes this call or capability away."""
        if need in DROPPED:
            return ["-f", self.harmless, "-d", DROPPED[need]]
        if need not in self.denied:
            subject = need if need.startswith("CAP_") else f"syscall {need}"
            path = self.trials.filter_of(f"denied-{need.lower()}".replace("_", "-"), f"forbid {subject}")
            self.denied[need] = ["-f", path]
        return self.denied[need]

    def use(self, use: Use, options: list[str | Path]) -> subprocess.CompletedProcess[str]:
        here = str(self.bundle.folder)
        words = [word.replace("{}", here) for word in use.words]
        before = [word.replace("{}", here) for word in use.before]
        return suite.run([*before, self.trials.binary, *options, "--", *words], expect=None)


def program_needs(program: str, needs: list[str], trials: Needs) -> None:
    use = USES[program]
    suite.need(program)
    plain = trials.use(use, ["-f", trials.harmless])
    if not use.works(plain):
        said = (plain.stderr.strip() or plain.stdout.strip()).splitlines()[-1:]
        raise suite.Impossible(f"{program} does not work here at all: {''.join(said)[:200]}")
    for need in needs:
        denied = trials.use(use, trials.options(need))
        if use.works(denied):
            suite.fail(f"it works without {need}: {denied.stdout}{denied.stderr}")


def every_program_is_tried() -> None:
    table = known_needs()
    suite.same("programs in the table", len(table) > 20, True)
    suite.same("neither tried nor said why not", sorted(set(table) - set(USES) - set(UNTRIED)), [])
    suite.same("tried, but not in the table", sorted((set(USES) | set(UNTRIED)) - set(table)), [])


def main() -> int:
    if os.geteuid() != 0:
        return suite.main([("known needs", partial(skip, "not root"))])
    with suite.scratch() as folder:
        trials = Needs(folder)
        tests = [(f"{program}: {', '.join(needs)}", partial(program_needs, program, needs, trials))
                 for program, needs in known_needs().items() if program in USES]
        return suite.main([*tests, ("every program has a trial, or a reason", every_program_is_tried)])  # fmt: skip


def skip(reason: str) -> None:
    raise suite.Skip(reason)


if __name__ == "__main__":
    sys.exit(main())
