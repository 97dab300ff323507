#!/usr/bin/env python3
"""NAME.seccomp.json in the hands of container engines: what the kernel then refuses, number by number.

Each engine runs probe.c, which asks its filter about every number of x86_64 and i386 and makes none of the calls. The
answers are compared with the policies' own words, and with what engines refuse by their own profiles. Needs root;
answers in TAP. An engine that runs no container here without a profile is left out, with its own words.
"""

from __future__ import annotations

import contextlib
import platform
import signal
import sys
from functools import partial
from pathlib import Path
from typing import Callable, Iterator

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
from engines import CGROUP2, Answers, Bundle, Call, Docker, Engine, Nspawn, Runc, build_probe  # noqa: E402

DATA = suite.ROOT / "compiler" / "data"
X32 = 0x40000000
# Newer kernels let uretprobe and uprobe pass every filter.
UNFILTERED = {("x86_64", 335), ("x86_64", 336)}

# ---- what the policies say ----


def listed_names() -> list[str]:
    lines = (DATA / "engines.tsv").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


def table() -> dict[Call, str]:
    """The name behind each number."""
    lines = (DATA / "syscalls.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    columns = {"x86_64": rows[0].index("x86_64"), "i386": rows[0].index("x86")}
    return {(abi, int(row[at])): row[0] for row in rows[1:] for abi, at in columns.items() if row[at] != "-"}


def engine_knows(name: str) -> bool:
    """An engine passes over a name that its libseccomp does not know; the default decides the call."""
    try:
        import seccomp
    except ImportError:
        raise suite.Skip("python3-seccomp is not installed") from None
    try:
        return seccomp.resolve_syscall(seccomp.Arch.X86_64, name) != -1
    except ValueError:
        return False


def allow_list(name: str, settings: str, forbid: str) -> str:
    """What engines let pass, but for one call."""
    return f"""policy {name}
seccomp {{
    default errno EPERM
    {settings}
}}
syscalls @listed {{ {", ".join(listed_names())} }}
allow syscall @listed  adr 0001  because "what engines let pass"
forbid syscall getpriority  adr 0001  because "to see an errno of its own"  {forbid}
"""


class Policy:
    """A profile, and what it must do; `unknown` is what numbers get that no table knows."""

    def __init__(self, path: Path, passing: Callable[[str], bool], refusals: dict[str, str], unknown: set[str],
                 abis: tuple[str, ...] = ("x86_64", "i386")):  # fmt: skip
        self.path, self.passing, self.refusals, self.unknown, self.abis = path, passing, refusals, unknown, abis

    def wanted(self, call: Call, name: str | None) -> set[str]:
        """Empty for any refusal: of x32 and of ABIs that are not named, as the engine likes."""
        if call[1] >= X32 or call[0] not in self.abis:
            return set()
        if not name or not engine_knows(name):
            return self.unknown
        return {"passes" if self.passing(name) else self.refusals.get(name, "errno 1")}

    def check(self, answers: Answers, i386: bool) -> None:
        """Where the kernel has no door for i386, nothing is asked of a policy that names it."""
        names, wrong = table(), []
        for (abi, number), answer in answers.items():
            if abi not in ("x86_64", "i386") or (abi, number) in UNFILTERED:
                continue
            if abi == "i386" and abi in self.abis and not i386:
                continue
            name = names.get((abi, number))
            wanted = self.wanted((abi, number), name)
            if answer not in wanted if wanted else answer == "passes":
                wrong.append(f"{abi} {number} {name or ''}: {answer} instead of {' or '.join(sorted(wanted)) or 'a refusal'}")
        if wrong:
            suite.fail("\n".join(wrong))


def compile_text(folder: Path, text: str, *options: str) -> None:
    """It cites ADRs that nobody opens."""
    path = folder / "policy.allow"
    path.write_text(text, encoding="utf-8")
    suite.compile_policy(path, folder, "-Wno-adr-unchecked", "-Wno-reason", *options)


# ---- tests ----


def in_earnest(answers: Answers, refused: str) -> None:
    suite.same("getppid and getpriority", (answers["getppid", 0], answers["getpriority", 0]), ("passes", refused))


def holds(engine: Engine, policy: Policy, refused: str) -> None:
    engine.need()
    answers = engine.answers(policy.path)
    in_earnest(answers, refused)
    policy.check(answers, engine.i386)


def holds_or_does_not_start(engine: Engine, policy: Policy, refused: str) -> None:
    engine.need()
    result = engine.run(policy.path)
    if result.returncode != 0 and not result.stdout:
        return
    holds(engine, policy, refused)


def i386_is_asked(engine: Engine, policy: Policy) -> None:
    """Without this test nobody would see that the others compare x86_64 alone."""
    engine.need()
    engine.answers(policy.path)
    if not engine.i386:
        raise suite.Impossible("the kernel has no int 0x80")


def refuses_no_less(engine: Engine, policy: Policy, known: dict[str, str]) -> None:
    """What the engine refuses by its own profile the policy's refuses; `known` names what a list of 2026 has more."""
    engine.need()
    own, ours = engine.answers(None), engine.answers(policy.path)
    names = table()
    opened = {
        names.get(call, f"{call[0]} {call[1]}")
        for call, answer in own.items()
        if answer != "passes" and ours[call] == "passes" and call not in UNFILTERED
    }
    suite.same("opened beyond what is known", sorted(opened - known.keys()), [])
    suite.same("refused by the engine", sum(answer != "passes" for answer in own.values()) > 50, True)


# What Docker 20.10's own profile refuses and that of 2026 lets pass.
DOCKER_KNOWN = {
    "clone": "by its flags", "personality": "by its value",
    "name_to_handle_at": "since moby 23",
    "process_vm_readv": "since moby 23, as ptrace", "process_vm_writev": "since moby 23, as ptrace",
    "pkey_alloc": "since moby 23", "pkey_free": "since moby 23", "pkey_mprotect": "since moby 23",
    "cachestat": "newer than it", "fchmodat2": "newer than it", "map_shadow_stack": "newer than it",
    "futex_wake": "newer than it", "futex_wait": "newer than it", "futex_requeue": "newer than it",
}  # fmt: skip

# Its own list is of another make: less of clocks, locked memory and sandboxing than engines give without a capability.
NSPAWN_KNOWN = dict.fromkeys(
    ("adjtimex", "clock_adjtime", "fanotify_mark", "landlock_add_rule", "landlock_create_ruleset",
     "landlock_restrict_self", "memfd_secret", "mlock", "mlock2", "mlockall", "modify_ldt", "munlock", "munlockall",
     "pkey_alloc", "pkey_free", "pkey_mprotect", "process_mrelease", "cachestat", "futex_requeue", "futex_wait",
     "futex_wake", "map_shadow_stack"),
    "not in systemd 252's list",
)  # fmt: skip


def leaves_nothing(docker: Docker) -> None:
    docker.need()
    docker.stop()
    suite.same("mounts", docker.mounts(), [])


def policies(folder: Path) -> dict[str, Policy]:
    """Three, each in a folder of its own: a list of what passes, one that nspawn takes too, and a list of denials."""
    for name in ("live", "plain", "phase7"):
        (folder / name).mkdir()
    compile_text(folder / "live", allow_list("live", "arch x86_64", "with errno EACCES"))
    compile_text(folder / "plain", allow_list("plain", "unknown default\n    abi x86_64", ""))
    suite.compile_policy("policies/phase7.allow", folder / "phase7", "--emit", "oci-seccomp",
                         "-Wno-oci-replaces-default")  # fmt: skip
    listed = set(listed_names()) - {"getpriority"}
    denied = {"kcmp", "pidfd_getfd", "process_madvise", "process_vm_readv", "process_vm_writev", "ptrace"}
    # Docker 20.10 drops `defaultErrnoRet`, so that numbers that nobody knows may get EPERM there; and runc gives
    # those above the profile's last one ENOSYS, whatever is said of them.
    unknown = {"errno 1", "errno 38"}
    return {
        "live": Policy(folder / "live" / "live.seccomp.json", listed.__contains__, {"getpriority": "errno 13"},
                       unknown),
        "plain": Policy(folder / "plain" / "plain.seccomp.json", listed.__contains__, {}, unknown, ("x86_64",)),
        "phase7": Policy(folder / "phase7" / "phase7.seccomp.json", lambda name: name not in denied, {}, {"passes"}),
    }  # fmt: skip


def tests_of(engine: Engine, known: dict[str, Policy]) -> list[suite.Test]:
    check = holds if engine.takes_default_errno else holds_or_does_not_start
    return [
        (f"{engine.name}: a list of what passes", partial(check, engine, known["live"], "errno 13")),
        (f"{engine.name}: one with a single default", partial(holds, engine, known["plain"], "errno 1")),
        (f"{engine.name}: a list of denials", partial(holds, engine, known["phase7"], "passes")),
        (f"{engine.name}: i386 is asked too", partial(i386_is_asked, engine, known["phase7"])),
    ]


@contextlib.contextmanager
def all_engines(folder: Path) -> Iterator[list[Engine]]:
    bundle = Bundle(folder / "bundle", build_probe(folder))
    docker = Docker(bundle)
    try:
        yield [Runc(bundle), Runc(bundle, "crun", CGROUP2), Nspawn(bundle), docker]
    finally:
        docker.end()


def not_here() -> None:
    raise suite.Impossible(f"the probe is for x86_64, this is {platform.machine()}")


def main() -> int:
    if platform.machine() != "x86_64":
        return suite.main([("engines", not_here)])
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(1))
    with suite.scratch() as folder, all_engines(folder) as (runc, crun, nspawn, docker):
        known = policies(folder)
        tests = [test for engine in (runc, crun, nspawn, docker) for test in tests_of(engine, known)]
        tests += [
            ("docker: what its own profile refuses stays refused",
             partial(refuses_no_less, docker, known["live"], DOCKER_KNOWN)),
            ("systemd-nspawn: what its own list refuses stays refused",
             partial(refuses_no_less, nspawn, known["plain"], NSPAWN_KNOWN)),
            ("docker: it stops and leaves no mount", partial(leaves_nothing, docker)),
        ]  # fmt: skip
        return suite.main(tests)


if __name__ == "__main__":
    sys.exit(main())
