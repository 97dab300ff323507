#!/usr/bin/env python3
"""The source's list of options, --help and the manual name the same flags."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import equal, passes, test  # noqa: E402


def source_flags():
    text = (suite.ROOT / "compiler/options.h").read_text(encoding="utf-8")
    flags = set()
    rows = re.findall(r"X\([A-Z_]+, ('(.)'|0), (NULL|\"([a-z-]+)\"), (NULL|\"[^\"]+\"),[\s\\]+FOR_", text)
    for _, letter, _, name, _ in rows:
        flags |= {f"-{letter}"} if letter else set()
        flags |= {f"--{name}"} if name else set()
    return flags


def help_flags():
    flags = set()
    for arguments in (["--help"], ["sync", "--help"], ["check", "--help"], ["list", "--help"], ["adr", "--help"],
                      ["diff", "--help"], ["gate", "--help"], ["import", "--help"]):
        for line in passes(*arguments).stdout.splitlines():
            if re.match(r" +-", line):
                flags |= set(re.findall(r"(?:^ +|, )(--[a-z-]+|-[a-zA-Z])", line))
    return flags


def manual_flags():
    text = (suite.ROOT / "packaging/man/allowc.1").read_text(encoding="utf-8")
    flags = set()
    for line in text.splitlines():
        if line.startswith(".It Fl "):
            flags |= {"-" + word for word in re.findall(r"Fl (-?[A-Za-z][a-z-]*)", line)}
    return flags


@test
def the_list_in_the_source_is_found():
    equal({"-o", "--emit", "-W", "--stamp"} <= source_flags(), True)


@test
def help_names_every_flag():
    equal(help_flags(), source_flags())


@test
def the_manual_names_every_flag():
    """git-diff tells its arguments apart by their number: its own flag is in no list of options."""
    equal(manual_flags(), source_flags() | {"--textconv"})


@test
def the_manual_names_every_command():
    text = (suite.ROOT / "packaging/man/allowc.1").read_text(encoding="utf-8")
    names = re.findall(r"^allowc ([a-z-]+)", passes("--help").stdout, re.M)
    equal([name for name in names if not re.search(rf"^\.It Cm {name}\b", text, re.M)], [])
    synopsis = text.split(".Sh SYNOPSIS\n")[1].split(".Sh ")[0]
    equal([name for name in names if not re.search(rf"^\.Cm (.* )?{name}\b", synopsis, re.M)], [])


@test
def the_manual_names_every_diagnostic_as_the_source_does():
    manual = (suite.ROOT / "packaging/man/allowc.1").read_text(encoding="utf-8")
    source = (suite.ROOT / "compiler/base/diag_list.h").read_text(encoding="utf-8")
    rows = re.findall(r"X\([A-Z_]+, \"([a-z-]+)\", ([A-Z]+), (FIXED|OPEN),(?:\s|\\)*\"([^\"]*)\"\)", source)
    part = manual.split(".Sh DIAGNOSTICS\n")[1].split(".Sh ")[0]
    told = re.findall(r"^\.It Cm ([a-z-]+)( \*)?\n(Warning: )?(.*)\.$", part, re.M)
    equal(told, [(name, " *" if change == "OPEN" else "", "" if severity == "ERROR" else "Warning: ", text)
                 for name, severity, change, text in rows])


@test
def help_and_the_manual_name_every_artifact():
    manual = (suite.ROOT / "packaging/man/allowc.1").read_text(encoding="utf-8")
    shown = re.findall(r"^  ([a-z-]+) +(\*?) +([A-Za-z/.0-9]+): ", passes("--help").stdout, re.M)
    told = re.findall(r"^\.It Cm ([a-z-]+) Ta Pa (\S+) Ta ?(by default|see below)?$", manual, re.M)
    equal(len(shown), 11)
    equal([(name, "*" if default == "by default" else "", path) for name, path, default in told], shown)


tap.main()
