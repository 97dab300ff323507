"""What the tests of this folder share: commands that write, each in a project of its own, and what must hold
whatever failed in one of their runs."""

import json
import os
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap  # noqa: E402
from tap import equal  # noqa: E402

SHOUTING = tap.CHANGED.replace("allow git  adr", "allow   git adr")

# A manifest and a page that people wrote, and a module that is allowc's.
IN_PLACE = """
plugin second "manifest.yaml" {
    tools docker
}
output c-header "tools.h"
output python "page.py" region ALLOWED_BINARIES
"""

# What a project has before it has a policy.
TOOLS = 'ALLOWED = {\n    # Phase 1\n    "git",  # ADR-0001\n    "docker buildx",\n}\n'
PROFILE = {
    "defaultAction": "SCMP_ACT_ERRNO",
    "architectures": ["SCMP_ARCH_X86_64"],
    "syscalls": [{"names": ["read", "write"], "action": "SCMP_ACT_ALLOW"}],
}


def write(path, text):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


# Written last of all, so that a build never finds them without what they speak of.
BUILD = ("p1.d", "p1.stamp")


def files():
    """All that is below the present folder, without what the tests put there."""
    return {name: text for name, text in tap.snapshot(".").items() if not name.startswith("kept")}


def leftovers(found):
    return [name for name in found if name.endswith(".allowc")]


class Command:
    """A command, and the project that it is run in: `begin` makes it, with what an earlier run has written."""

    def __init__(self, name, *arguments, status=0):
        self.name, self.arguments, self.status = name, arguments, status

    def begin(self):
        getattr(self, f"begin_{self.name}")()

    def begin_compile(self):
        tap.project(tap.POLICY)
        tap.passes("-q", "p1.allow")
        tap.project(tap.CHANGED)

    begin_check = begin_compile

    def begin_build(self):
        tap.project(tap.POLICY)
        tap.passes("-q", "--depfile", "p1.d", "--stamp", "p1.stamp", "p1.allow")
        # The next run's depfile has another line: a layer.
        tap.project("policy base\n", "base.allow")
        tap.project(tap.CHANGED.replace("policy p1\n", "policy p1\nextends base\n"))
        os.utime("p1.stamp", (1000000000, 1000000000))

    def begin_sync(self):
        write(".git/HEAD", "")
        write("manifest.yaml", "# by hand\nname: second\nrequirements:\n  external_tools: [git]\n")
        write("page.py", "# Tools\nfrom typing import Final\n# allowc:begin ALLOWED_BINARIES\n# allowc:end\nEND = True\n")
        tap.project(tap.POLICY.split("plugin second")[0] + IN_PLACE.replace("docker", "git"))
        tap.passes("sync", "-q", "p1.allow")
        tap.project(tap.CHANGED.split("plugin third")[0] + IN_PLACE)

    def begin_fmt(self):
        tap.project(SHOUTING)

    def begin_conflict(self):
        """Another policy's artifact is in the way: no failure hides whose it is."""
        third = tap.CHANGED.replace("plugin first {\n    tools git, docker\n}\n", "")
        tap.project(third.replace("policy p1", "policy p2"), "p2.allow")
        tap.passes("-q", "--emit", "plugin-yaml", "p2.allow")
        self.begin_compile()

    def begin_saved(self):
        tap.project(tap.POLICY)
        tap.passes("-q", "--emit", "json", "p1.allow")
        tap.project(tap.CHANGED)
        # The other way to write a status, which another library reads.
        write("adr/0001-tools.md", tap.ADR.replace("## Status\n\nAccepted\n", "")
              .replace("# 1. The", "---\nstatus: accepted\n---\n# 1. The"))

    def begin_diff(self):
        tap.project(tap.POLICY, "old.allow")
        tap.project(tap.CHANGED)

    def begin_import(self):
        write("tools.py", TOOLS)
        write("seccomp.json", json.dumps(PROFILE))

    begin_gate = begin_explain = begin_list = begin_adr = begin_diff


COMMANDS = [
    Command("compile", "-q", "p1.allow"),
    Command("build", "-q", "--depfile", "p1.d", "--stamp", "p1.stamp", "p1.allow"),
    Command("sync", "sync", "-q", "p1.allow"),
    Command("fmt", "fmt", "-q", "p1.allow"),
    Command("check", "check", "p1.allow"),
    Command("diff", "diff", "old.allow", "p1.allow", status=1),
    Command("saved", "diff", "generated/p1.json", "p1.allow", status=1),
    Command("gate", "gate", "--today", "2026-06-01", "old.allow", "p1.allow"),
    Command("explain", "explain", "p1.allow", "strace"),
    Command("list", "list", "p1.allow"),
    Command("adr", "adr", "check", "adr"),
    Command("import", "import", "tools.py", "seccomp.json"),
]

# The one that must not write, whatever fails.
CONFLICT = Command("conflict", "-q", "p1.allow", status=1)


def empty():
    for path in Path(".").iterdir():
        if path.name != "kept":
            shutil.rmtree(path) if path.is_dir() else path.unlink()


class Trial:
    """Runs of one command over the same old files, with something in the way."""

    def __init__(self, command):
        self.command = command
        command.begin()
        self.old = files()
        done = tap.allowc(*command.arguments)
        equal((done.returncode, done.stderr == ""), (command.status, command.name != "conflict"), command.name)
        self.new, self.shown, self.told = files(), done.stdout, done.stderr
        shutil.rmtree("kept", ignore_errors=True)
        empty()
        command.begin()
        shutil.copytree(".", "kept/files", symlinks=True, ignore=shutil.ignore_patterns("kept"))

    def restore(self):
        empty()
        shutil.copytree("kept/files", ".", symlinks=True, dirs_exist_ok=True)

    def run(self, *before, **options):
        self.restore()
        return tap.allowc(*self.command.arguments, before=before, **options)

    def whole(self, place):
        """Every file is as it was or as it shall be, but for what the next run takes away."""
        for name, text in files().items():
            if not name.endswith(".allowc") and text is not None:
                known = (self.old.get(name), self.new.get(name), *([b""] if name in BUILD else []))
                equal(text in known, True, f"{place}: {name}")

    def all_or_nothing(self, place):
        self.whole(place)
        found = {name: text for name, text in files().items() if not name.endswith(".allowc")}
        # A folder that was made for nothing is no artifact; the files of the build system come after.
        found, old, new = ({name: text for name, text in each.items() if text is not None and name not in BUILD}
                           for each in (found, self.old, self.new))  # fmt: skip
        equal(found == old or found == new, True, f"{place}: {sorted(found)}, differing: "
              f"{[name for name in found if found[name] != old.get(name)]}")
        return found == new

    def as_ever(self, done, place):
        """A run that does not call it trouble says what it says where nothing fails."""
        equal((done.returncode, done.stdout, done.stderr), (self.command.status, self.shown, self.told), place)

    def mended(self, place):
        done = tap.allowc(*self.command.arguments)
        equal((done.returncode, done.stderr == ""), (self.command.status, self.command.name != "conflict"), place)
        equal(leftovers(files()), [], place)
        equal({name: text for name, text in files().items() if text is not None},
              {name: text for name, text in self.new.items() if text is not None}, place)


def calls_of(command, log="kept/log"):
    """[(name, N)]: the system calls of a run from the program's own first one on, counted by name."""
    command("strace", "-f", "-qq", "-o", log)
    counts, calls, begun = {}, [], False
    for line in Path(log).read_text(encoding="utf-8", errors="replace").splitlines():
        name = re.match(r"\d+ +([a-z0-9_]+)\(", line)
        if not name:
            continue
        name = name[1]
        counts[name] = counts.get(name, 0) + 1
        begun = begun or "SIGXFSZ" in line
        if begun and name not in ("exit", "exit_group"):
            calls.append((name, counts[name]))
    return calls


def injected(*items):
    return ["strace", "-f", "-qq", "-o", "/dev/null", *(word for item in items for word in ("-e", f"inject={item}"))]
