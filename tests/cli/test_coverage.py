#!/usr/bin/env python3
"""Every diagnostic, and everything that is not built yet, has a golden case with its exact text."""

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
    name = re.compile(r"\[(?:-W|-Werror=)?([a-z-]+)\]$", re.MULTILINE)
    return {found for text in golden_texts("expect.stderr") for found in name.findall(text)}


def diagnostics():
    """{name: whether -W may change it}"""
    rows = re.findall(r"^\tX\([A-Z_]+, \"([a-z-]+)\", [A-Z]+, (FIXED|OPEN),", source("compiler/base/diag_list.h"),
                      re.MULTILINE)
    return {name: change == "OPEN" for name, change in rows}


def never_said(words):
    said = "".join(golden_texts("expect.stderr"))
    return [word for word in words if f"{word} is not built yet" not in said]


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


@test
def every_part_of_the_language_that_is_not_built_has_a_case():
    texts = []  # of each call of not_built() in the source, up to a value in it
    for path in sorted((suite.ROOT / "compiler" / "policy").glob("*.c")):
        calls = re.findall(r"\bnot_built\(([^;]*)\);", path.read_text(encoding="utf-8"))
        texts += [text for call in calls for text in re.findall(r"\"((?:[^\"\\]|\\.)*)\"", call)]
    equal(len(texts) >= 1, True, texts)
    said = "".join(golden_texts("expect.stderr"))
    fixed = [re.split(r"%", text)[0].replace('\\"', '"') for text in texts]
    equal([text for text in fixed if text not in said], [])


tap.main()
