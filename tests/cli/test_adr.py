#!/usr/bin/env python3
"""allowc adr: how folders of ADRs are read."""

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import allowc, equal, fails, passes, test  # noqa: E402

DATA = suite.ROOT / "tests" / "data"
HEAD = "file\tstatus\tdate\tsuccessor\n"


@test
def all_formats_are_read_as_expected():
    """Those of MADR, Nygard, reStructuredText and AsciiDoc, and what is no certain status in any of them."""
    for folder in (DATA / "adr-formats", DATA / "adr-more"):
        expected = (folder / "expected.tsv").read_text(encoding="utf-8")
        equal(passes("adr", "list", folder).stdout.splitlines(), expected.splitlines())


@test
def an_empty_folder_is_a_header():
    os.mkdir("adr")
    equal(passes("adr", "list", "adr").stdout, HEAD)
    equal(passes("adr", "list", "adr", "--format", "json").stdout, "[]\n")


@test
def files_by_number_then_name_and_no_others():
    os.mkdir("adr")
    for name in ("README.md", "index.md", "0000-template.md", "template.md", "10-c.md", "adr-009-b.md", "ADR-0007-a.rst",
                 "0009_a.adoc", "notes.txt", "0003-notes.txt", "0008-x.md~", ".0006-x.md"):
        Path("adr", name).write_text("# T\n", encoding="utf-8")
    listed = passes("adr", "list", "adr/").stdout.splitlines()[1:]
    equal([line.split("\t")[0] for line in listed], ["ADR-0007-a.rst", "0009_a.adoc", "adr-009-b.md", "10-c.md"])


@test
def json_has_the_title_and_the_doubt():
    os.mkdir("adr")
    Path("adr/0001-a.md").write_text("# 1. First\n\nStatus: accepted\nDate: 2026-01-02\n", encoding="utf-8")
    Path("adr/0002-b.md").write_text("# 2. Second\n\nStatus: not accepted\n", encoding="utf-8")
    equal(
        json.loads(passes("adr", "list", "--format=json", "adr").stdout),
        [
            {"file": "0001-a.md", "title": "First", "status": "accepted", "date": "2026-01-02", "successor": None},
            {"file": "0002-b.md", "title": "Second", "status": "unknown", "doubt": "it does not begin with a status word",
             "date": None, "successor": None},
        ],
    )  # fmt: skip


@test
def a_file_name_cannot_make_a_cell_of_its_own():
    os.mkdir("adr")
    Path("adr/0001-a\t\n\x1b.md").write_text("# T\n", encoding="utf-8")
    equal(passes("adr", "list", "adr").stdout, HEAD + "0001-a\\u{9}\\u{a}\\u{1b}.md\tunknown\t-\t-\n")


@test
def a_file_that_cannot_be_read_is_trouble_and_the_others_are_listed():
    os.makedirs("adr/0002-folder.md")
    Path("adr/0001-a.md").write_text("Status: accepted\n", encoding="utf-8")
    done = allowc("adr", "list", "adr")
    equal((done.returncode, done.stdout), (2, HEAD + "0001-a.md\taccepted\t-\t-\n"))
    equal(done.stderr, "allowc: cannot read 'adr/0002-folder.md': Is a directory\n")


@test
def the_records_of_the_project_are_in_order():
    for folder in ("adr", "adr/phase2", "adr/phase3", "adr/phase7"):
        passes("adr", "check", suite.ROOT / folder)


@test
def check_says_when_all_is_in_order():
    os.mkdir("adr")
    Path("adr/0001-a.md").write_text("# 1. A\n\nStatus: accepted\n", encoding="utf-8")
    equal(passes("adr", "check", "adr").stdout, "adr: 1 ADR in order\n")
    Path("adr/0002-b.md").write_text("# 2. B\n\nStatus: maybe\n", encoding="utf-8")
    equal(fails(1, "adr", "check", "adr").splitlines()[0],
          "adr/0002-b.md:3:9: error: the status is not certain: it does not begin with a status word [adr-status]")
    equal(passes("adr", "check", "-Wno-adr-status", "adr").stdout, "adr: 2 ADRs in order\n")


@test
def a_thousand_adrs_in_one_circle_are_one_mistake():
    os.mkdir("adr")
    for number in range(1, 1001):
        text = f"Status: superseded by ADR-{number % 1000 + 1}\nSupersedes: ADR-{(number - 2) % 1000 + 1}\n"
        Path(f"adr/{number:04}-a.md").write_text(text, encoding="utf-8")
    equal(fails(1, "adr", "check", "adr").count(" error: "), 1)


@test
def usage_errors():
    for words, message in (
        ([], "say what to do: list or check, then a folder of ADRs"),
        (["list"], "one folder of ADRs is named"),
        (["list", "a", "b"], "one folder of ADRs is named"),
        (["lst", "a"], "'lst' is neither list nor check; did you mean 'list'?"),
        (["adr"], "'adr' is neither list nor check"),
        (["check", "--format", "json", "a"], "--format is of 'adr list'; 'adr check' has --diagnostics"),
        (["list", "--format", "jsn", "a"], "--format cannot be 'jsn'; did you mean 'json'?"),
        (["list", "--today", "2026-01-01", "a"], "there is no option '--today' here"),
    ):
        equal(fails(2, "adr", *words).splitlines()[0], f"allowc: {message}")
    equal(fails(2, "adr", "list", "nowhere"), "allowc: cannot list 'nowhere': No such file or directory\n")


tap.main()
