#!/usr/bin/env python3
"""What backends/strength.h claims, tried: each strength of each artifact has a trial here. Answers in TAP.

Compiles strength.c, which runs a program under a filter and asks the C header.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any, Callable

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
from strength_trials import QUIET, Trials  # noqa: E402

# mkdir(2), and mkdirat(2) on its folder's descriptor.
MKDIR = "import os, sys; os.mkdir(sys.argv[1])"
MKDIRAT = "import os, sys; os.mkdir(sys.argv[1], dir_fd=os.open(os.curdir, os.O_PATH))"
CAP_SYS_PTRACE = "19"  # linux/capability.h
LAUNCH = "import os; os.execvp('strace', ['strace', '-V'])"


def need_strace(trials: Trials) -> None:
    suite.need("strace")
    result = suite.run(["strace", "-o", os.devnull, "true"], expect=None)
    if result.returncode != 0:
        raise suite.Impossible(f"strace cannot trace here at all: {result.stderr.strip()}")


# ---- advisory ----


def header_says_no(trials: Trials) -> None:
    suite.same("the header", trials.run("-a", "strace", "-V").stdout, "forbidden\n")
    suite.need("strace")
    suite.same("a direct execve", trials.run("--", "strace", "-V").returncode, 0)


def python_says_no(trials: Trials) -> None:
    code = "import phase7; print(phase7.match(['strace', '-V'])[0], 'strace' in phase7.ALLOWED_BINARIES)"
    environment = suite.ENVIRONMENT | {"PYTHONPATH": str(trials.folder), "PYTHONDONTWRITEBYTECODE": "1"}
    answer = suite.run([sys.executable, "-c", code], environment=environment)
    suite.same("the module", answer.stdout, "forbidden False\n")
    suite.need("strace")
    suite.same("a direct execve", suite.run([sys.executable, "-c", LAUNCH]).returncode, 0)


def declaration_binds_nobody(file: str, trials: Trials) -> None:
    """It says nothing of strace, or that it is forbidden; whoever does not read it starts strace."""
    text = (trials.folder / file).read_text(encoding="utf-8")
    suite.same("its own words", "Advisory: a declaration." in text or file == "phase7.names", True)
    suite.same("dive is declared", "dive" in text, True)
    suite.need("strace")
    suite.same("a direct execve", trials.run("--", "strace", "-V").returncode, 0)


# ---- mechanism ----


def program_starts_and_fails(trials: Trials, *filtered: str | Path) -> None:
    need_strace(trials)
    suite.same("strace -V", trials.run(*filtered, "--", "strace", "-V").returncode, 0)
    refused = trials.run(*filtered, "--", "strace", "true")
    if refused.returncode == 0 or "Operation not permitted" not in refused.stderr:
        suite.fail(f"exit status {refused.returncode}: {refused.stderr}")


def bpf_is_mechanism(trials: Trials) -> None:
    program_starts_and_fails(trials, "-f", trials.folder / "phase7.bpf")


def seccomp_is_mechanism(trials: Trials) -> None:
    program_starts_and_fails(trials, "-s")


def allowed_row_gets_nothing(trials: Trials) -> None:
    """A list of denials does not know what is allowed: a program that no row names runs as one that a row does."""
    filtered = ("-f", trials.folder / "phase7.bpf")
    suite.same("an unlisted program", trials.run(*filtered, "--", "true").returncode, 0)


# ---- enforced, with holes and without ----


def make_folder(trials: Trials, filter_file: Path, code: str) -> bool:
    target = f"made-{time.monotonic_ns()}"
    done = suite.run([trials.binary, "-f", filter_file, "--", sys.executable, "-S", "-B", "-c", code, target],
                     expect=None, cwd=trials.folder)  # fmt: skip
    if done.returncode not in (0, 1):
        suite.fail(f"exit status {done.returncode}: {done.stderr}")
    made = (trials.folder / target).is_dir()
    suite.same("what it says", "PermissionError" in done.stderr, not made)
    return made


def call_is_enforced(trials: Trials) -> None:
    both = trials.filter_of("both", "forbid syscall mkdir, mkdirat, io_uring_setup")
    suite.same("the claim", trials.claim("both"), ("enforced", ""))
    suite.same("mkdir", make_folder(trials, both, MKDIR), False)
    suite.same("mkdirat", make_folder(trials, both, MKDIRAT), False)


def call_has_a_hole(trials: Trials) -> None:
    one = trials.filter_of("one", "forbid syscall mkdir")
    strength, caveat = trials.claim("one")
    suite.same("the claim", strength, "enforced with holes")
    suite.same("the hole", caveat.startswith("beside mkdir, mkdirat does the same on "), True)
    suite.same("mkdir", make_folder(trials, one, MKDIR), False)
    suite.same("mkdirat", make_folder(trials, one, MKDIRAT), True)


# ---- rows of roles ----

ROLE = """policy guarded
allow git  adr 1  because "a trial"
role gate {
    forbid syscall mkdir, mkdirat, io_uring_setup  adr 1  because "a trial"
    forbid git  adr 1  because "a trial"
}
role probe {
    forbid syscall mkdir  adr 1  because "a trial"
}
"""


def guarded(trials: Trials) -> None:
    path = trials.folder / "guarded.allow"
    path.write_text(ROLE, encoding="utf-8")
    suite.compile_policy(path, trials.folder, "--emit", "bpf,json,python", *QUIET)


def filter_of_a_role_is_its_own(trials: Trials) -> None:
    """What it refuses is refused under that file alone: the filter of the layers lets it pass."""
    guarded(trials)
    layers, gate = trials.folder / "guarded.bpf", trials.folder / "guarded.gate.bpf"
    made = [make_folder(trials, file, code) for file in (layers, gate) for code in (MKDIR, MKDIRAT)]
    suite.same("mkdir and mkdirat, without and with the role", made, [True, True, False, False])


def filter_of_a_role_has_a_hole(trials: Trials) -> None:
    guarded(trials)
    made = [make_folder(trials, trials.folder / "guarded.probe.bpf", code) for code in (MKDIR, MKDIRAT)]
    suite.same("mkdir and mkdirat", made, [False, True])


def module_says_no_to_a_role(trials: Trials) -> None:
    guarded(trials)
    code = "import guarded as m; print(m.match_in('gate', ['git'])[0], m.match(['git'])[0])"
    environment = suite.ENVIRONMENT | {"PYTHONPATH": str(trials.folder), "PYTHONDONTWRITEBYTECODE": "1"}
    answer = suite.run([sys.executable, "-c", code], environment=environment)
    suite.same("the module", answer.stdout, "forbidden allowed\n")


# ---- a capability: two doors ----


def memory_opens(trials: Trials, *options: str | Path) -> bool:
    """Whether another user's /proc/PID/mem can be opened for writing."""
    other = subprocess.Popen(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sleep", "60"])
    try:
        status = Path(f"/proc/{other.pid}/comm")
        for _ in range(200):
            if status.read_text() == "sleep\n":
                break
            time.sleep(0.01)
        code = f"open('/proc/{other.pid}/mem', 'r+b', buffering=0)"
        done = trials.run(*options, "--", sys.executable, "-S", "-c", code)
        suite.same("what it says", "PermissionError" in done.stderr, done.returncode != 0)
        return done.returncode == 0
    finally:
        other.kill()
        other.wait()


def filter_leaves_memory_open(trials: Trials) -> None:
    if os.geteuid() != 0:
        raise suite.Skip("not root")
    suite.need("setpriv")
    if not memory_opens(trials):
        raise suite.Impossible("root has no CAP_SYS_PTRACE here")
    bpf = trials.folder / "phase7.bpf"
    suite.same("with the calls denied", memory_opens(trials, "-f", bpf), True)
    suite.same("with the capability dropped too", memory_opens(trials, "-d", CAP_SYS_PTRACE, "-f", bpf), False)


# ---- what commonly breaks ----


def leak_checker_needs_ptrace(trials: Trials) -> None:
    """compiler/data/breakage.tsv says so of ptrace."""
    source = trials.folder / "leak.c"
    source.write_text("int main(void) { return 0; }\n", encoding="utf-8")
    built = suite.run([*shlex.split(os.environ.get("CC", "cc")), "-fsanitize=leak", source, "-o", trials.folder / "leak"],
                      expect=None)  # fmt: skip
    if built.returncode != 0:
        raise suite.Skip("the compiler has no leak checker")
    if trials.run("--", trials.folder / "leak").returncode != 0:
        raise suite.Impossible("the leak checker does not run here at all")
    refused = trials.run("-f", trials.folder / "phase7.bpf", "--", trials.folder / "leak")
    suite.same("it fails, and says so", (refused.returncode != 0, "LeakSanitizer" in refused.stderr), (True, True))


MANIFEST = "plugins/distroless-migration--node--npm/plugin.yaml"
DECLARED = {"plugin-yaml": MANIFEST, "names": "phase7.names", "markdown": "phase7.md"}
TRIALS: dict[tuple[str, str], Callable[[Trials], None]] = {
    ("c-header", "advisory"): header_says_no,
    ("python", "advisory"): python_says_no,
    **{(artifact, "advisory"): partial(declaration_binds_nobody, file) for artifact, file in DECLARED.items()},
    ("bpf", "mechanism"): bpf_is_mechanism,
    ("seccomp", "mechanism"): seccomp_is_mechanism,
    ("bpf", "none"): allowed_row_gets_nothing,
    ("bpf", "enforced"): call_is_enforced,
    ("bpf", "enforced with holes"): call_has_a_hole,
}
# Of rows of roles; what is advisory in other artifacts is so for who asks with the role: tests/cli/test_roles.py.
ROLE_TRIALS: dict[tuple[str, str], Callable[[Trials], None]] = {
    ("bpf", "enforced"): filter_of_a_role_is_its_own,
    ("bpf", "enforced with holes"): filter_of_a_role_has_a_hole,
    ("python", "advisory"): module_says_no_to_a_role,
}
ROLE_ASKED = {(artifact, "advisory") for artifact in ("c-header", "names", "markdown")}
# Profiles say what the filter says, number by number, in the engines' hands: test_engines.py.
AS_BPF = ("oci-seccomp", "spo")


def claims(rows: list[dict[str, Any]]) -> set[tuple[str, str]]:
    """The header installs the bytes of the bpf file; `none` claims nothing."""
    claimed = {pair for row in rows for pair in row["strength"].items() if pair[1] != "none"}
    tried = {("bpf" if artifact in AS_BPF else artifact, strength) for artifact, strength in claimed}
    return {pair for pair in tried if not (pair[0] == "seccomp" and "enforced" in pair[1])}


def every_claim_is_tried(trials: Trials) -> None:
    """Of the sample, of policies of calls, and of roles: (artifact, strength) without a trial must not land."""
    guarded(trials)
    of_layers, of_roles = set(), set()
    for name in ("phase7", "both", "one", "guarded"):
        policy = json.loads((trials.folder / f"{name}.json").read_text(encoding="utf-8"))
        of_layers |= claims(policy["rows"])
        of_roles |= claims([row for role in policy["roles"] for row in role["rows"]])
    suite.same("claims without a trial", sorted(of_layers - set(TRIALS)), [])
    suite.same("claims of roles without a trial", sorted(of_roles - set(ROLE_TRIALS) - ROLE_ASKED), [])
    suite.same("trials of roles that nothing claims", sorted((set(ROLE_TRIALS) | ROLE_ASKED) - of_roles), [])


def main() -> int:
    with suite.scratch() as folder:
        trials = Trials(folder)
        tests = [(f"{artifact}: {strength}", partial(trial, trials)) for (artifact, strength), trial in TRIALS.items()]
        tests += [(f"{artifact} of a role: {strength}", partial(trial, trials))
                  for (artifact, strength), trial in ROLE_TRIALS.items()]  # fmt: skip
        tests += [
            ("a capability: the filter leaves /proc/PID/mem open, dropping it does not",
             partial(filter_leaves_memory_open, trials)),
            ("without ptrace the leak checker fails", partial(leak_checker_needs_ptrace, trials)),
            ("every claim has a trial", partial(every_claim_is_tried, trials)),
        ]  # fmt: skip
        return suite.main(tests)


if __name__ == "__main__":
    sys.exit(main())
