#!/usr/bin/env python3
"""allowc diff --by artifact: which files a change rewrites, held against what compiling writes."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import allowc, contains, decided, equal, passes, test  # noqa: E402

BASE = """policy p
title "Tools"
decisions "adr"

allow git  adr 1  because "clones"
allow docker  adr 1  because "builds"
allow "docker buildx"  adr 1  because "builds more"
forbid strace  adr 1  because "tracing"
forbid syscall kcmp  adr 1  because "no"

plugin a {
    tools docker, "docker buildx"
}
role probe {
    forbid docker  adr 1  because "no"
}
expect forbidden strace
"""
QUIET = ["-Wno-incomplete-group", "-Wno-adr-silent", "-Wno-known-needs"]


def compare(new, *options, old=BASE):
    Path("adr").mkdir(exist_ok=True)
    for number in (1, 2):
        Path(f"adr/{number:04}-tools.md").write_text(f"# {number}. Tools\n\n## Status\n\nAccepted\n", encoding="utf-8")
    Path("old.allow").write_text(old, encoding="utf-8")
    Path("new.allow").write_text(new, encoding="utf-8")
    return decided(allowc("diff", "--by", "artifact", *options, "old.allow", "new.allow"))


def files_of(done):
    """Each heading with what stands below it, up to the first two blanks."""
    found, current = {}, None
    for line in decided(done).stdout.splitlines()[1:]:
        if line.startswith("  "):
            found[current].append(line[4:].split("  ")[0].strip())
        else:
            current = line
            found[current] = []
    return found


def written(text):
    """What compiling writes, under one policy's name; and what names the policy's file is no matter here."""
    Path("policy.allow").write_text(text, encoding="utf-8")
    passes("-q", *QUIET, "-o", "out", "policy.allow")
    tree = {path: data for path, data in suite.tree(Path("out")).items() if path != "p.sha256"}
    for path in tree:
        (Path("out") / path).unlink()
    Path("out/p.sha256").unlink()
    return tree


def one_change(new, *wanted, old=BASE):
    """The files of one change, by the program and by compiling both."""
    done = compare(new, "--format", "json", old=old)
    data = json.loads(done.stdout)
    before, after = written(old), written(new)
    differ = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    equal(differ, sorted(wanted), "compiled")
    rewritten = {file["path"]: file["changes"] for file in data["artifacts"]}
    equal(sorted(rewritten), differ, "told")
    equal([changes for changes in rewritten.values() if changes != [0]], [], str(data["changes"]))
    equal(data["artifacts_note"], None)


@test
def one_change_rewrites_what_compiling_both_policies_writes_otherwise():
    one_change(BASE.replace("clones", "fetches"), "p.h")
    one_change(BASE.replace('"tracing"', '"other"'), "p.h", "p.py")
    one_change(BASE.replace("syscall kcmp", "syscall kcmp, ptrace"), "p.seccomp.h", "p.bpf")
    one_change(BASE.replace('more"', 'more"  as buildx'), "p.h", "p.py", "plugins/a/plugin.yaml")
    one_change(BASE.replace('tools docker, "docker buildx"', 'tools docker'), "p.py", "plugins/a/plugin.yaml")
    one_change(BASE.replace('tools docker, "docker buildx"', 'tools "docker buildx", docker'), "p.py",
               "plugins/a/plugin.yaml")
    one_change(BASE.replace('allow git  adr 1  because "clones"\n', ""), "p.h", "p.py")
    one_change(BASE.replace("forbid strace", "allow strace").replace("expect forbidden strace\n", ""), "p.h", "p.py",
               old=BASE.replace("expect forbidden strace\n", ""))
    one_change(BASE + "seccomp {\n    deny-with kill\n}\n", "p.seccomp.h", "p.bpf")
    one_change(BASE + "seccomp {\n    arch x86_64\n}\n", "p.seccomp.h", "p.bpf")
    one_change(BASE.replace("git  adr 1", "git  adr 2"), "p.h", "p.py")


@test
def one_change_in_a_role_rewrites_what_has_its_rows():
    opening = "role probe {\n"
    one_change(BASE.replace(opening, opening + '    forbid git  adr 1  because "no"\n'), "p.h", "p.py")
    one_change(BASE.replace('    forbid docker  adr 1  because "no"\n', ""), "p.h", "p.py")
    one_change(BASE.replace('docker  adr 1  because "no"', 'docker  adr 1  because "other"'), "p.h", "p.py")
    acct = opening + '    forbid syscall acct  adr 1  because "no"\n'
    one_change(BASE.replace(opening, acct), "p.probe.seccomp.h", "p.probe.bpf")
    one_change(BASE.replace(opening, acct.replace('"no"', '"no"  with kill')), "p.probe.seccomp.h", "p.probe.bpf",
               old=BASE.replace(opening, acct))


@test
def what_rewrites_no_artifact():
    for new in (BASE.replace("expect forbidden strace\n", ""),
                BASE.replace("plugin a {\n", 'plugin a {\n    forbid git  adr 1  because "no"\n'),
                BASE.replace('"adr"', '"adr" accept "Active"'), BASE.replace('"clones"', '"clones"  until 2030-01-01')):
        found = files_of(compare(new))
        equal([heading for heading in found if heading != "no artifact"], [])


@test
def a_title_and_what_an_adr_says_are_in_no_artifact():
    one_change(BASE.replace('"Tools"', '"Other tools"'))
    Path("other").mkdir()
    Path("other/0001-tools.md").write_text("# 1. Other tools\n\n## Status\n\nAccepted\n", encoding="utf-8")
    one_change(BASE.replace('decisions "adr"', 'decisions "other"'))


@test
def each_setting_of_the_filter_rewrites_it():
    """A deny-list and what lets through only what it lists, which has a profile for engines too."""
    listed = BASE + "seccomp {\n    abi x86_64\n    default errno EPERM\n}\n"
    listed += 'allow syscall read, write  adr 1  because "runs"\n'
    filters = ("p.seccomp.h", "p.bpf", "p.seccomp.json")
    one_change(listed.replace("EPERM", "EACCES"), *filters, old=listed)
    one_change(listed.replace("EPERM\n", "EPERM\n    unknown default\n"), *filters, old=listed)
    library = listed.replace("policy p\n", "policy p\nuse <std-container-2026>\n")
    one_change(library.replace("EPERM\n", "EPERM\n    base @container\n"), *filters, old=library)


@test
def a_row_that_goes_from_a_lower_layer_stood_before_those_above():
    for folder, more in (("before", 'allow jq  adr base/1  because "reads"\n'), ("after", "")):
        Path(folder).mkdir()
        Path(folder, "base.allow").write_text(
            f'policy base\ndecisions "../adr"\nallow npm  adr 1  because "installs"\n{more}', encoding="utf-8")
    layered = BASE.replace('title "Tools"\n', 'extends "after/base.allow"\n')
    one_change(layered, "p.h", "p.py", old=layered.replace("after", "before"))


@test
def another_plugin_is_no_matter():
    two = BASE + "plugin other {\n    tools git\n}\n"
    one_change(two.replace("tools git", "tools git, docker"), "p.py", "plugins/other/plugin.yaml", old=two)
    one_change(BASE.replace("plugin a {", 'plugin a "a.yaml" {'), "plugins/a/plugin.yaml")


@test
def another_name_renames_every_artifact():
    new = BASE.replace("policy p\n", "policy q\n").replace("decisions", "decisions p").replace("adr 1", "adr p/1")
    equal(files_of(compare(new)), {"every artifact, which has another name": ["policy q"]})
    found = files_of(compare(new + 'output python "a.py"\n'))
    equal(found, {"no artifact": ['output python "a.py"'], "every artifact, which has another name": ["policy q"]})


@test
def two_rows_that_do_the_same_both_rewrite_it():
    """Neither alone takes anything away, either alone brings it."""
    more = BASE + 'forbid gdb  adr 1  because "no" {\n    needs syscall ptrace\n}\nforbid syscall ptrace  adr 1  because "no"\n'
    found = files_of(compare(more))
    equal(found["p.bpf  rewritten"], ["forbid gdb", "forbid syscall ptrace"])
    equal(found["p.h  rewritten"], ["forbid gdb"])


@test
def what_cannot_be_undone_alone_is_said():
    """Either row without the other's change would deny one call in two ways: in NEW, and in OLD."""
    both = BASE + 'forbid gdb  adr 1  because "no"  with kill {\n    needs syscall ptrace\n}\n'
    both += 'forbid syscall ptrace  adr 1  because "no"  with kill\n'
    told = "of 2 changes it cannot be told which files they rewrite"
    found = files_of(compare(both.replace("with kill", "with errno EACCES"), old=both))
    equal(found, {"p.seccomp.h  rewritten": [], "p.bpf  rewritten": [], told: ["forbid gdb", "forbid syscall ptrace"]})


@test
def several_changes_are_told_apart():
    new = BASE.replace("clones", "fetches").replace("syscall kcmp", "syscall kcmp, ptrace") + "seccomp {\n    hot read\n}\n"
    equal(files_of(compare(new)), {
        "p.h  rewritten": ["allow"],
        "p.seccomp.h  rewritten": ["forbid syscall ptrace", "seccomp hot"],
        "p.bpf  rewritten": ["forbid syscall ptrace", "seccomp hot"]})


@test
def where_rows_stand_is_no_change_and_rewrites():
    lines = BASE.splitlines(keepends=True)
    moved = "".join(lines[:4] + [lines[5], lines[4]] + lines[6:])
    done = compare(moved)
    equal((done.stdout, done.returncode), (
        "old.allow -> new.allow   equivalent\np.h  rewritten, by where rows stand\np.py  rewritten, by where rows stand\n"
        "no decision changed: rows stand in another order\n", 0))


@test
def plugins_that_come_and_go():
    less = BASE[:BASE.index("plugin a")] + BASE[BASE.index("role probe"):]
    equal(files_of(compare(less))["plugins/a/plugin.yaml  removed"], ["tools"])
    equal(files_of(compare(BASE, old=less))["plugins/a/plugin.yaml  new"], ["tools"])


@test
def too_many_changes_are_not_told_apart():
    rows = "".join(f'allow t{number}  adr 1  because "r"\n' for number in range(300))
    done = compare(BASE + rows)
    found = files_of(done)
    equal(list(found), ["p.h  rewritten", "p.py  rewritten", "so many changes are not told apart by file"])
    equal(len(found["so many changes are not told apart by file"]), 300)


@test
def json_fits_its_schema_and_stats_ask_no_backend():
    import jsonschema  # pylint: disable=import-outside-toplevel

    schema = json.loads((suite.ROOT / "packaging/schema/diff.schema.json").read_text(encoding="utf-8"))
    new = BASE.replace("clones", "fetches")
    data = json.loads(compare(new, "--format", "json").stdout)
    jsonschema.Draft202012Validator(schema).validate(data)
    equal(data["artifacts"], [{"path": "p.h", "fate": "rewritten", "changes": [0]}])
    equal("artifacts" in json.loads(compare(new, "--format", "json", "--stats").stdout), False)
    contains(compare(new, "--format", "markdown").stdout, "\n**p\\.h  rewritten**\n\n- `~` allow `git`")


if __name__ == "__main__":
    tap.main()
