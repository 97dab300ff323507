#!/usr/bin/env python3
"""Every diagnostic, and every command that is not built yet, has a golden case with its exact text."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import equal, test  # noqa: E402


def source(path):
    return (suite.ROOT / path).read_text(encoding="utf-8")


def golden_texts(name):
    folder = suite.ROOT / "tests" / "golden"
    return [path.read_text(encoding="utf-8", errors="replace") for path in sorted(folder.glob(f"*/{name}"))]


def reported():
    """The names in brackets at the ends of messages."""
    name = re.compile(r": (?:error|warning): .*\[(?:-W|-Werror=)?([a-z-]+)\]$", re.MULTILINE)
    return {found for text in golden_texts("expect.stderr") for found in name.findall(text)}


def diagnostics():
    """{name: whether -W may change it}"""
    rows = re.findall(r"^\tX\([A-Z_]+, \"([a-z-]+)\", [A-Z]+, (FIXED|OPEN),", source("compiler/base/diag_list.h"),
                      re.MULTILINE)
    return {name: change == "OPEN" for name, change in rows}


@test
def the_list_of_diagnostics_is_found():
    names = diagnostics()
    equal((names["encoding"], names["orphan"], len(names) > 50), (False, True, True))


@test
def every_diagnostic_has_a_case():
    equal(sorted(set(diagnostics()) - reported()), [])


@test
def every_name_in_a_case_is_a_diagnostic():
    equal(sorted(reported() - set(diagnostics())), [])


@test
def every_intent_names_diagnostics():
    said = {line.split()[1] for text in golden_texts("intent") for line in text.splitlines()
            if line.startswith(("error ", "warning "))}
    equal(sorted(said - set(diagnostics())), [])


tap.main()
