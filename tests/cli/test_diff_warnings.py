#!/usr/bin/env python3
"""allowc diff with -W, --diagnostics, --max-errors, --color and --today: what is said of either side."""

import json
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import allowc, contains, decided, equal, needs, test  # noqa: E402

OLD = """policy p
decisions "adr"

allow git  adr 1
allow jq  adr 1  because "cuts"  until 2026-03-01
"""
NEW = OLD.replace("allow git  adr 1", 'allow git  adr 1  because "clones"').replace("jq", "rg")
EQUIVALENT = "old.allow -> old.allow   equivalent\n"


def compare(*options, old=OLD, new=NEW, status="Accepted", names=("old.allow", "new.allow"), **more):
    Path("adr").mkdir(exist_ok=True)
    Path("adr/0001-tools.md").write_text(f"# 1. Tools\n\n## Status\n\n{status}\n\n`git`, `jq`, `rg`\n", encoding="utf-8")
    for name, text in (("old.allow", old), ("new.allow", new)):
        Path(name).write_text(text, encoding="utf-8")
    return allowc("diff", *options, *names, **more)


@test
def a_comparison_warns_of_nothing_unless_it_is_asked_to():
    equal(compare().stderr, "")
    equal(compare("-Wall").stderr.count("[-Wreason]"), 1)


@test
def warnings_of_either_side_have_its_places():
    equal(compare("-Wreason", new=OLD.replace("jq", "rg")).stderr, "".join(
        f"{name}.allow:4:7: warning: 'allow git' does not say why [-Wreason]\n    4 | allow git  adr 1\n      |       ^~~\n"
        f"{name}.allow:4:7: help: add the reason: because \"…\"\n" for name in ("old", "new")))


@test
def a_warning_that_is_made_an_error_rejects_a_side_which_is_compared_all_the_same():
    done = compare("-Werror=reason", names=("old.allow", "old.allow"))
    contains(done.stderr, "old.allow:4:7: error: 'allow git' does not say why [-Werror=reason]\n")
    equal((done.stdout, done.returncode), (EQUIVALENT, 1))
    done = compare("-Wreason", "-Werror", names=("old.allow", "old.allow"))
    equal((done.stdout, done.returncode), (EQUIVALENT, 1))
    done = compare("-Werror", names=("old.allow", "old.allow"))
    equal((done.stdout, done.stderr, done.returncode), (EQUIVALENT, "", 0))


@test
def an_error_of_an_adr_may_be_a_warning_or_nothing():
    done = compare(status="Proposed", names=("old.allow", "old.allow"))
    shut = EQUIVALENT + "gate: shut [adr-status]: cite an accepted ADR that names `git`, or revoke it\n"
    equal((done.stdout, done.stderr.count("error:"), done.returncode), (shut, 2, 1))
    done = compare("-Wno-error=adr-status", status="Proposed", names=("old.allow", "old.allow"))
    equal((done.stdout, done.stderr.count("warning:"), done.returncode), (shut, 2, 0))
    done = compare("-Wno-adr-status", status="Proposed", names=("old.allow", "old.allow"))
    equal((done.stdout, done.stderr, done.returncode), (shut, "", 0))


@test
def rows_that_are_past_are_said_with_today():
    equal(compare("--today", "2026-03-01").stderr, "")
    text = compare("--today", "2026-03-02").stderr
    equal([line for line in text.splitlines() if "warning" in line], [
        "old.allow:5:7: warning: 'jq' was allowed until 2026-03-01, which is past [-Wexpired]",
        "new.allow:5:7: warning: 'rg' was allowed until 2026-03-01, which is past [-Wexpired]"])
    equal(compare("--today", "2026-03-02", "-Wno-expired").stderr, "")


@test
def json_is_one_list_that_names_the_sides():
    text = compare("--diagnostics", "json", "-Wreason", new=OLD.replace("jq", "rg")).stderr
    equal([(item["side"], item["name"], item["file"], item["line"]) for item in json.loads(text)],
          [("old", "reason", "old.allow", 4), ("new", "reason", "new.allow", 4)])
    equal(compare("--diagnostics", "json").stderr, "[]\n")
    data = json.loads(compare("--diagnostics", "json", "--max-errors", "1", "-Wreason",
                              new=NEW + "allow x adr 1\nallow y adr 1\n").stderr)
    equal([(item["side"], item["severity"], item["message"]) for item in data[1:]], [
        ("new", "warning", "'allow x' does not say why"),
        ("new", "note", "1 more warning not shown; --max-errors 0 shows all")])
    done = compare("--diagnostics", "json", names=("old.allow", "gone.allow"))
    equal((json.loads(done.stderr)[0]["side"], done.returncode), ("new", 2))


@test
def github_names_the_sides():
    text = compare("--diagnostics", "github", "-Wreason").stderr
    contains(text, "::warning file=old.allow,line=4,col=7,title=reason::OLD: 'allow git' does not say why")


@test
@needs("git")
def github_has_no_file_in_a_revision():
    """It would mark a line of the file as it is now."""
    git = ["git", "-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]
    environment = {"PATH": os.environ["PATH"], "HOME": os.getcwd(), "GIT_CONFIG_NOSYSTEM": "1"}
    compare()
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "c"]):
        subprocess.run([*git, *words], env=environment, check=True)
    text = compare("--diagnostics", "github", "-Wreason", names=("main:old.allow", "new.allow")).stderr
    contains(text, "::warning title=reason::OLD: main:old.allow:4:7: 'allow git' does not say why")


@test
def colour_is_as_everywhere():
    equal("\x1b[" in compare("--color", "always", "-Wreason").stderr, True)
    equal("\x1b[" in compare("--color", "never", "-Wreason").stderr, False)


@test
def options_that_are_wrong():
    for options, wanted in (
        (["-Wresaon"], "-Wresaon: unknown diagnostic 'resaon'; did you mean 'reason'?"),
        (["-Wno-syntax"], "-Wno-syntax: 'syntax' is always an error"),
        (["--today", "tomorrow"], "--today cannot be 'tomorrow'; it is a date, YYYY-MM-DD"),
        (["--diagnostics", "xml"], "--diagnostics cannot be 'xml'; it is 'text', 'json' or 'github'"),
    ):
        done = compare(*options)
        equal((done.stdout, done.stderr, done.returncode),
              ("", f"allowc: {wanted}\nTry 'allowc diff --help'.\n", 2))


if __name__ == "__main__":
    tap.main()
