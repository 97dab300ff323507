"""A small project under four build systems: what each of them must do. A module of the tests here.

The project's build files are those of packaging/builds/README.md, as printed there.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import tempfile
from functools import partial
from pathlib import Path

import suite

PAGE = suite.ROOT / "packaging" / "builds" / "README.md"

ADR = """# 1. The tools

## Status

Accepted

## Decision

`git`, `docker` and `jq` are in, `strace` is out, and `CAP_SYS_PTRACE` with it.
"""

BASE = """policy base
decisions "adr"
allow git  adr 0001  because "clones"
"""

TOOLS = """policy tools
extends base
allow docker  adr base/0001  because "builds"
"""

SOURCES = {
    "adr/0001-tools.md": ADR,
    "base.allow": BASE,
    "tools.allow": TOOLS,
    "lookup.c": '#include "tools.h"\nint lookup(void)\n{\n\treturn tools_allowed("git");\n}\n',
    "filter.c": '#include "tools.seccomp.h"\nint filter(void)\n{\n\treturn TOOLS_FILTER_LENGTH > 0;\n}\n',
    "main.c": "int lookup(void);\nint filter(void);\nint main(void)\n{\n\treturn !(lookup() && filter());\n}\n",
}

PROBES = 'policy probes\ndecisions "adr"\nallow jq  adr 0001  because "reads answers"\n'
UNITS = ("main", "lookup", "filter")


def recipe(name: str) -> str:
    """The fence of the page that is the file of this name."""
    fence = re.compile(rf"^```\w+ {re.escape(name)}\n(.*?)^```$", re.DOTALL | re.MULTILINE)
    match = fence.search(PAGE.read_text(encoding="utf-8"))
    if not match:
        suite.fail(f"{PAGE.name} has no fence for {name}")
    return match[1]


class System:
    """The project in a folder of its own, and how one system builds it there."""

    name = ""
    tools: tuple[str, ...] = ()
    file = ""  # the build file
    output = "generated"  # where the artifacts are
    second = ""  # what to add to the build file for the policy `probes`
    nothing = r"(ninja: Entering .*\n)?ninja: no work to do\.\n"  # all that a build says that runs nothing
    restores = True  # an artifact that is gone; otherwise only when everything is built again
    builds_after_edit = 1  # of an artifact, until nothing is left to do

    def __init__(self) -> None:
        self.scratch = tempfile.TemporaryDirectory(prefix="allowc-builds-")
        self.root = Path(self.scratch.name) / "project"
        self.log = Path(self.scratch.name) / "log"
        self.allowc = Path(self.scratch.name) / "bin" / "allowc"
        self.started = False
        names = [name for name in suite.ENVIRONMENT if not name.startswith(("MAKE", "MFLAGS", "NINJA", "CFLAGS"))]
        self.environment = {name: suite.ENVIRONMENT[name] for name in names}
        self.environment["PATH"] = f"{self.allowc.parent}:{self.environment['PATH']}"

    # ---- what differs ----

    def configure(self) -> None:
        """Before the first build."""

    def command(self, *arguments: str) -> list[str | Path]:
        raise NotImplementedError

    # ---- building ----

    def files(self) -> dict[str, str]:
        return SOURCES | {self.file: recipe(self.file)}

    def write(self, name: str, text: str) -> None:
        """Only what differs: times are what build systems look at."""
        path = self.root / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            suite.tick(self.root)
            path.write_text(text, encoding="utf-8")

    def start(self) -> None:
        suite.need("cc", *self.tools)
        self.allowc.parent.mkdir(parents=True, exist_ok=True)
        self.allowc.write_text(f'#!/bin/sh\necho "$*" >> {self.log}\nexec {shlex.join(suite.program())} "$@"\n')
        self.allowc.chmod(0o755)
        for name, text in self.files().items():
            self.write(name, text)
        self.configure()
        self.started = True

    def settle(self) -> None:
        """The project as it was first, and built."""
        if not self.started:
            self.start()
        for name, text in self.files().items():
            self.write(name, text)
        self.build()

    def try_build(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return suite.run(self.command(*arguments), expect=None, environment=self.environment, cwd=self.root)

    def build(self, *arguments: str) -> str:
        return suite.run(self.command(*arguments), environment=self.environment, cwd=self.root).stdout

    def fails(self) -> str:
        """A build that has to fail; all its output."""
        done = self.try_build()
        if done.returncode == 0:
            suite.fail(f"the build should have failed\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    # ---- looking ----

    def made(self) -> dict[str, int]:
        """The times of what a build makes: objects, program and artifacts."""
        paths = [*self.root.rglob("*.o"), *(path for path in self.root.rglob("app") if path.is_file())]
        paths += [*self.artifacts().glob("tools.*"), *self.artifacts().glob("probes.*")]
        return {str(path.relative_to(self.root)): path.stat().st_mtime_ns for path in paths}

    def runs(self) -> int:
        """How often allowc was run to write artifacts."""
        return sum("--depfile" in line for line in self.log.read_text().splitlines()) if self.log.exists() else 0

    def artifacts(self) -> Path:
        return self.root / self.output

    def contents(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.artifacts().iterdir() if path.name.startswith("tools.")
                and path.suffix not in (".stamp", ".d")}  # fmt: skip

    def work(self) -> list[str]:
        """Builds, and says what that did: `allowc`, then the units that were compiled."""
        runs, before = self.runs(), self.made()
        self.build()
        after = self.made()
        changed = [name for name in after if name.endswith(".o") and after[name] != before.get(name)]
        compiled = [unit for unit in UNITS if any(Path(name).name.startswith(unit) for name in changed)]
        return ["allowc"] * (self.runs() - runs) + compiled

    def idle(self) -> None:
        """A build that runs nothing: in the system's own words, and by the times of all that there is."""
        runs, before = self.runs(), self.made()
        words = self.build()
        if not re.fullmatch(self.nothing, words):
            suite.fail(f"these are not the words of a build that runs nothing:\n{words}")
        suite.same("runs of allowc", self.runs() - runs, 0)
        suite.same("what changed", [name for name, time in self.made().items() if before.get(name) != time], [])


# ---- what each system must do ----


def first_build(system: System) -> None:
    system.settle()
    suite.same("runs of allowc", system.runs(), 1)
    program = next(path for path in system.root.rglob("app") if path.is_file())
    suite.run([program])
    for name in ("tools.h", "tools.seccomp.h", "tools.bpf", "tools.py", "tools.sha256"):
        suite.same(name, (system.artifacts() / name).is_file(), True)
    system.idle()


def changed_remark(system: System) -> None:
    system.settle()
    system.write("adr/0001-tools.md", ADR + "\nA remark.\n")
    suite.same("work", system.work(), ["allowc"])
    system.idle()


def changed_reason(system: System) -> None:
    system.settle()
    system.write("tools.allow", TOOLS.replace("builds", "builds images"))
    suite.same("work", system.work(), ["allowc", "lookup"])
    system.idle()


def changed_layer(system: System) -> None:
    """What the kernel refuses is in tools.seccomp.h alone."""
    system.settle()
    system.write("base.allow", BASE + 'forbid CAP_SYS_PTRACE  adr 0001  because "nobody traces"\n')
    suite.same("work", system.work(), ["allowc", "filter"])
    system.idle()


def new_layer(system: System) -> None:
    """It is an input from the next build on."""
    system.settle()
    system.write("lowest.allow", 'policy lowest\ndecisions "adr"\nallow jq  adr 0001  because "reads"\n')
    system.write("base.allow", BASE.replace("policy base\n", "policy base\nextends lowest\n"))
    suite.same("work", system.work(), ["allowc", "lookup"])
    system.idle()
    system.write("lowest.allow", "policy lowest\n")
    suite.same("work", system.work(), ["allowc", "lookup"])
    system.idle()


def missing(name: str, message: str, system: System) -> None:
    """allowc's own words, nothing about rules, the artifacts as they were; and back again."""
    system.settle()
    before = system.contents()
    os.rename(system.root / name, system.root / "away")
    words = system.fails()
    if message not in words or re.search(r"[Nn]o rule|no known rule", words):
        suite.fail(f"not allowc's own message, which is {message!r}:\n{words}")
    suite.same("the artifacts", system.contents(), before)
    os.rename(system.root / "away", system.root / name)
    system.build()
    system.idle()


def renamed_record(system: System) -> None:
    system.settle()
    os.rename(system.root / "adr/0001-tools.md", system.root / "adr/0001-renamed.md")
    suite.same("work", system.work(), ["allowc"])
    system.idle()
    (system.root / "adr/0001-renamed.md").unlink()


def failing_policy(system: System) -> None:
    system.settle()
    before = system.contents()
    system.write("base.allow", BASE.replace("adr 0001", "adr 0002"))
    for _ in range(2):
        words = system.fails()
        if "there is no ADR base/0002 [adr-missing]" not in words:
            suite.fail(f"not allowc's message:\n{words}")
        suite.same("the artifacts", system.contents(), before)
    system.write("base.allow", BASE)
    system.build()
    system.idle()


def removed_artifact(system: System) -> None:
    system.settle()
    (system.artifacts() / "tools.h").unlink()
    if not system.restores:
        system.fails()
        system.build("--clean-first")
        system.idle()
        return
    work = system.work()
    suite.same("runs of allowc", work[:1], ["allowc"])
    suite.same("units that do not include it", [unit for unit in work if unit in ("main", "filter")], [])
    system.idle()


def edited_artifact(system: System) -> None:
    """A build takes it for new; --check tells, and the next run replaces it."""
    system.settle()
    header = system.artifacts() / "tools.h"
    before = header.read_bytes()
    suite.tick(system.root)
    header.write_bytes(before + b"/* by hand */\n")
    check = [*suite.program(), "--check", "-o", system.artifacts(), system.root / "tools.allow"]
    told = suite.run(check, expect=1).stdout
    if not re.search(r"^ +edited +\S*tools\.h", told, re.MULTILINE):
        suite.fail(f"--check does not say 'edited':\n{told}")
    system.write("adr/0001-tools.md", ADR + "\nOnce more.\n")
    for _ in range(system.builds_after_edit):
        system.build()
    suite.same("the header", header.read_bytes(), before)
    suite.run(check)
    system.idle()


def two_policies(system: System) -> None:
    """Into one folder, at the same time."""
    system.settle()
    system.write("probes.allow", PROBES)
    system.write(system.file, recipe(system.file) + system.second)
    for _ in range(3):
        for path in [*system.artifacts().glob("probes.*"), *system.artifacts().glob("tools.*")]:
            path.unlink()
        for path in system.root.rglob("*.stamp"):
            path.unlink()
        system.build("-j4")
        for name in ("tools", "probes"):
            suite.run(["sha256sum", "--check", "--quiet", "--strict", f"{name}.sha256"], cwd=system.artifacts())
        suite.same("what is left over", [path.name for path in system.artifacts().glob(".*allowc*")], [])
    system.idle()


def tests(system: System) -> list[suite.Test]:
    every = {
        "a first build, then one that runs nothing": first_build,
        "a remark in an ADR runs allowc and compiles nothing": changed_remark,
        "a changed reason compiles what includes the header": changed_reason,
        "a changed layer below": changed_layer,
        "a new layer is an input from then on": new_layer,
        "an ADR that is gone": partial(missing, "adr/0001-tools.md", "there is no ADR base/0001 [adr-missing]"),
        "a layer that is gone": partial(missing, "base.allow", "base.allow' is not there [layer]"),
        "an ADR by another name": renamed_record,
        "a policy with an error": failing_policy,
        "an artifact that is gone": removed_artifact,
        "an artifact that was edited": edited_artifact,
        "two policies into one folder, in parallel": two_policies,
    }
    return [(f"{system.name}: {name}", partial(check, system)) for name, check in every.items()]


def main(system: System) -> int:
    return suite.main(tests(system))
