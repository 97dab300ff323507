#!/usr/bin/env python3
"""Ways to open the gate that must not (adr/0020-the-gate.md), each tried in a real repository."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap  # noqa: E402
from tap import allowc, contains, equal, fails, needs, test  # noqa: E402

POLICY = """policy p
extends low
use "calls.allow"
decisions "../adr"

allow git  adr 1  because "clones"
allow "docker buildx"  adr 1  because "builds"
forbid strace  adr 1  because "tracing is the host's"
forbid syscall @traces  adr 1  because "likewise"

role probe {
    forbid git  adr 1  because "clones nothing"
}

seccomp {
    base @few
}

expect forbidden strace
"""
LOW = """policy low
decisions "../adr/low"

allow node  adr 1  because "runs"
forbid gdb  adr 1  because "debugs nothing"
"""
CALLS = "syscalls @few {\n    read, write\n}\nsyscalls @traces {\n    ptrace, kcmp\n}\n"
NAMES = "`git`, `docker buildx`, `strace`, `@traces`, `node`, `gdb`, `dive`"
JQ = 'allow jq  adr 2  because "cuts"\n'
ROW = POLICY.replace("forbid strace", JQ + "forbid strace")


def git(*arguments):
    environment = {"PATH": os.environ["PATH"], "HOME": os.getcwd(), "GIT_CONFIG_NOSYSTEM": "1"}
    identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "init.defaultBranch=main",
                "-c", "protocol.file.allow=always"]  # fmt: skip
    return subprocess.run(["git", *identity, *arguments], env=environment, check=True, capture_output=True, text=True)


def write(path, text):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


def adr(path, names, status="Accepted", head=""):
    number = int(re.search(r"(\d+)[^/]*$", path)[1])
    write(path, f"# {number}. Tools\n\n## Status\n\n{status}\n\n{head}## Decision\n\n{names}\n")


def commit():
    git("add", "-A")
    git("commit", "-q", "--allow-empty", "-m", "c")


def repository():
    """What stood before, on main; the change goes to a branch."""
    git("init", "-q")
    adr("adr/0001-tools.md", NAMES)
    adr("adr/low/0001-tools.md", NAMES)
    write("policies/p.allow", POLICY)
    write("policies/low.allow", LOW)
    write("policies/calls.allow", CALLS)
    commit()
    git("checkout", "-q", "-b", "change")


def refused(done):
    return re.findall(r"^gate: shut \[([a-z-]+)\]", done.stdout, re.MULTILINE)


def both(*options):
    """The gate of the commit, and of the working folder."""
    commit()
    return (allowc("gate", *options, "main:policies/p.allow", "HEAD:policies/p.allow"),
            allowc("gate", *options, "--base", "main", "policies/p.allow"))


def shut(*rules, options=()):
    for done in both(*options):
        equal((refused(done), done.returncode), (list(rules), 1), done.stdout + done.stderr)


def is_open(*options):
    for done in both(*options):
        equal((refused(done), done.returncode), ([], 0), done.stdout + done.stderr)


def shut_not_by(rule, options=()):
    for done in both(*options):
        decided = refused(done)
        equal(rule in decided or done.returncode == 2, False, done.stdout + done.stderr)


def attack(function):
    return test(needs("git")(function))


@attack
def the_honest_change_is_open():
    repository()
    adr("adr/0002-jq.md", "`jq`")
    write("policies/p.allow", ROW)
    is_open("--require-adr=changed", "--exactly", "2=jq")


# ---- records ----


@attack
def two_files_of_one_number():
    repository()
    write("policies/p.allow", ROW)
    for decoy in ("adr/2-jq.md", "adr/ADR-0002-jq.rst", "adr/0002_jq.adoc"):
        adr("adr/0002-jq.md", "`jq`")
        adr(decoy, "`jq`")
        shut("adr-ambiguous")
        os.remove(decoy)
    is_open()


@attack
def a_name_where_no_reader_sees_a_decision():
    repository()
    write("policies/p.allow", ROW)
    for names in ("```\n`jq`\n```", "~~~~ x\n~~~\n`jq`\n~~~~", "<!-- `jq` -->", "jq", "    `jq`\n", "\\`jq\\`",
                  "**jq**", "<code>jq</code>", "[`jqq`](jq.md)",
                  "[//]: # (`jq`)", "[a]: /a\n[b]: /b '`jq`'", "[a]: /a '\n`jq`\n'", "[a `jq`]: /a", "- [a]:\n  /`jq`",
                  "<script>\n`jq`\n\n`jq`\n</script>", "<STYLE>`jq`</Style>", "<?\n\n`jq` ?>", "<!A\n`jq`>",
                  "<![CDATA[\n\n`jq`\n]]>", "<script>\n`jq`"):  # fmt: skip
        adr("adr/0002-jq.md", names)
        shut("adr-silent")


@attack
def what_readers_see_names_it():
    """What stands just beside the places that they do not."""
    repository()
    write("policies/p.allow", ROW)
    for names in ("[^1]: `jq`", "[`jq`]", "[a](/a): `jq`", "[a][b]: `jq`", "[a]: we use `jq`", "[a]: /a\n\n`jq`",
                  "<scripts> `jq`", "<script>a</script>\n\n`jq`", "<!> `jq`", "<? a ?> `jq`", "a <!A `jq`", "<!-- a --> `jq`"):  # fmt: skip
        adr("adr/0002-jq.md", names)
        is_open()


@attack
def twins_of_a_name():
    repository()
    write("policies/p.allow", ROW)
    for names in ("`JQ`", "`j\u0051`", "`\u0458q`", "`jq\u200b`", "`./jq`", "`jq-x`", "`jq 1.6`", "`-jq`"):
        adr("adr/0002-jq.md", names)
        shut("adr-silent")
    adr("adr/0002-jq.md", "`\u0458q`")
    write("policies/p.allow", ROW.replace("allow jq", "allow \u0458q"))
    for done in both():
        equal((done.returncode, done.stdout), (2, ""))


@attack
def a_status_that_says_two_things():
    repository()
    write("policies/p.allow", ROW)
    for status in ("Accepted\n\nRejected", "~~Accepted~~", "Accepted (draft)", "not accepted", "<!-- Accepted -->",
                   "```\nAccepted\n```", "Accepted | Proposed", "accepted?"):  # fmt: skip
        adr("adr/0002-jq.md", "`jq`", status)
        shut("adr-status")


@attack
def a_relation_that_stands_in_a_comment():
    repository()
    write("policies/p.allow", POLICY.replace("forbid strace", "allow strace").replace("tracing is", "traced by")
          .replace("expect forbidden strace\n", "").replace("strace  adr 1", "strace  adr 2"))
    for head in ("<!-- Amends: [0001](0001-tools.md) -->\n\n", "```\nAmends: 0001\n```\n\n",
                 "## Context\n\nIt does not amend 0001.\n\n", "Amended by: [0001](0001-tools.md)\n\n", "Amends: [0003](0003-x.md)\n\n"):
        adr("adr/0002-strace.md", "`strace`", head=head)
        shut("forbid-lifted", options=["--allow", "guard-removed"])
    adr("adr/0002-strace.md", "`strace`", head="Amends: [0001](0001-tools.md)\n\n")
    is_open("--allow", "guard-removed")
    shut("guard-removed")


@attack
def an_adr_that_declined_it():
    """One word of the row differs, and the ADR names the command: as one that is not added."""
    repository()
    git("checkout", "-q", "main")
    adr("adr/0002-jq.md", "`jq` stays out.")
    write("policies/p.allow", ROW.replace("allow jq", "decline jq"))
    commit()
    git("checkout", "-q", "-b", "quiet")
    write("policies/p.allow", ROW)
    shut("forbid-lifted")
    os.remove("adr/0002-jq.md")  # then nothing says how it writes its number
    shut("adr-missing", "forbid-lifted")
    adr("adr/0002-jq.md", "`jq` stays out.")
    adr("adr/0003-jq.md", "`jq` comes in.")
    write("policies/p.allow", ROW.replace("jq  adr 2", "jq  adr 3"))
    is_open()


@attack
def an_old_adr_that_speaks_of_part_of_it():
    repository()
    write("policies/p.allow", POLICY.replace('"docker buildx"', "docker"))
    shut("adr-silent")


@attack
def an_adr_amended_by_a_blank():
    repository()
    write("policies/p.allow", POLICY.replace("forbid strace", 'allow dive  adr 1  because "looks"\nforbid strace'))
    is_open()
    for names in (NAMES.replace(", ", ",  ") + "\n\n", NAMES + "\n\n<!-- amended -->", NAMES + " <!-- amended -->",
                  "<!-- -->" + NAMES, NAMES + "\u200b", NAMES + "\u200e", NAMES + "\n\n```\namended\n```",
                  NAMES + "\n\n[//]: # (amended)"):
        adr("adr/0001-tools.md", names)
        shut("adr-unchanged", options=["--require-adr=changed"])
    for names in (NAMES + ".", NAMES + "\n\n```allow\nallow git\n```", NAMES + " `<!-- amended -->`"):
        adr("adr/0001-tools.md", names)
        shut_not_by("adr-unchanged", options=["--require-adr=changed"])


@attack
def a_group_that_grows_beside_an_edit_of_its_adr():
    """The ADR says no word of the call that the group has gained, wherever else it is amended."""
    repository()
    git("checkout", "-q", "main")
    write("policies/p.allow", POLICY.replace("role probe", 'allow syscall @more  adr 1  because "works"\n\nrole probe'))
    write("policies/calls.allow", CALLS + "syscalls @more {\n    openat\n}\n")
    adr("adr/0001-tools.md", NAMES + ", `@more`")
    commit()
    git("checkout", "-q", "-B", "change")
    write("policies/calls.allow", CALLS + "syscalls @more {\n    openat, bpf\n}\n")
    for edit in ("", " <!-- -->", "\u200b", ", and so on"):
        adr("adr/0001-tools.md", NAMES + ", `@more`" + edit)
        shut("adr-silent")
    adr("adr/0001-tools.md", NAMES + ", `@more`, `bpf`")
    is_open()


# ---- places ----


@attack
def a_folder_outside_of_the_repository():
    """In the commit a link leads nowhere; in the working folder it would lead where nobody reviews."""
    repository()
    adr(f"{os.getcwd()}-outside/0001-tools.md", NAMES)
    adr(f"{os.getcwd()}-outside/low/0001-tools.md", NAMES)
    adr(f"{os.getcwd()}-outside/0002-jq.md", "`jq`")
    write("policies/p.allow", ROW)
    try:
        shutil.rmtree("adr")
        os.symlink(f"{os.getcwd()}-outside", "adr")
        commit()
        done = allowc("gate", "--base", "main", "policies/p.allow")
        equal((done.returncode == 0, "adr-scope" in refused(done)), (False, True), done.stdout + done.stderr)
        equal(allowc("gate", "main:policies/p.allow", "HEAD:policies/p.allow").returncode, 2)
        git("checkout", "-q", "main", "--", "adr")
        os.symlink(f"{os.getcwd()}-outside/0002-jq.md", "adr/0002-jq.md")
        commit()
        done = allowc("gate", "--base", "main", "policies/p.allow")
        equal(refused(done), ["adr-missing"], done.stdout)
        contains(done.stdout, "the file of ADR p/0002 leads out of the project")
        git("reset", "-q", "--hard", "main")
        os.remove("adr/0001-tools.md")
        os.symlink(f"{os.getcwd()}-outside/0001-tools.md", "adr/0001-tools.md")
        commit()
        done = allowc("gate", "--base", "main", "policies/p.allow")
        equal(refused(done), ["adr-missing"], "rows that stay stand by it no more: " + done.stdout)
    finally:
        shutil.rmtree(f"{os.getcwd()}-outside")


@attack
def a_layer_that_moved_takes_its_records_elsewhere():
    """Its text is the same, and so is what `decisions` says: seen from there it is another folder."""
    repository()
    adr("evil/adr/low/0001-tools.md", NAMES + ", `jq`")
    write("evil/policies/low.allow", LOW + JQ.replace("adr 2", "adr 1"))
    write("policies/p.allow", POLICY.replace("extends low", 'extends "../evil/policies/low.allow"'))
    shut("adr-silent", "trust-changed")


@attack
def a_link_under_a_layer_turns_nothing():
    repository()
    git("checkout", "-q", "main")
    write("policies/sub/low.allow", LOW.replace("../adr/low", "../../adr/low"))
    write("policies/p.allow", POLICY.replace("extends low", 'extends "sub/low.allow"'))
    os.remove("policies/low.allow")
    commit()
    git("checkout", "-q", "-b", "links")
    adr("evil/adr/low/0001-tools.md", NAMES + ", `jq`")
    write("evil/a/b/low.allow", LOW.replace("../adr/low", "../../adr/low") + JQ.replace("adr 2", "adr 1"))
    shutil.rmtree("policies/sub")
    os.symlink("../evil/a/b", "policies/sub")
    shut("adr-silent")


@attack
def a_folder_renamed_so_that_the_scope_is_another():
    repository()
    git("checkout", "-q", "main")
    for name in ("p", "q"):
        adr(f"docs/{name}/0001-tools.md", NAMES)
    write("policies/p.allow", POLICY.replace('"../adr"', '"../docs/*"'))
    commit()
    git("checkout", "-q", "-b", "renames")
    git("mv", "docs/p", "docs/r")
    for done in both():
        equal((set(refused(done)), done.returncode), ({"adr-scope"}, 1), done.stdout + done.stderr)
    adr("docs/p/0001-tools.md", NAMES, "Proposed")
    shut("adr-status")


@attack
def a_policy_that_renames_itself():
    """A new name is a new scope for its bare numbers."""
    repository()
    adr("mine/0001-all.md", NAMES + ", `jq`")
    write("policies/p.allow", ROW.replace("policy p", "policy q").replace("../adr", "../mine").replace("adr 2", "adr 1"))
    for done in both():
        equal({"adr-scope", "trust-changed"} <= set(refused(done)), True, done.stdout)


@attack
def a_policy_that_moved_with_records_of_its_own():
    repository()
    shutil.copytree("policies", "evil/policies")
    shutil.copytree("adr", "evil/adr")
    adr("evil/adr/0002-jq.md", "`jq`")
    write("evil/policies/p.allow", ROW)
    commit()
    for new in ("HEAD:evil/policies/p.allow", "evil/policies/p.allow"):
        equal(refused(allowc("gate", "main:policies/p.allow", new)), ["adr-missing", "trust-changed", "trust-changed"])


@attack
def where_the_gate_stands_and_what_is_no_revision_turns_no_place():
    """A path of the working folder starts there, one of a revision at its top, and files are beside what they are
    beside."""
    repository()
    shutil.copytree("policies", "before/policies")
    shutil.copytree("adr", "before/adr")
    adr("adr/0002-jq.md", "`jq`")
    write("policies/p.allow", ROW)
    commit()
    for old, new in (("main:policies/p.allow", "./policies/p.allow"), ("before/policies/p.allow", "policies/p.allow"),
                     ("before/policies/p.allow", "HEAD:policies/p.allow")):  # fmt: skip
        equal(allowc("gate", old, new).stdout.splitlines()[-1], "gate: open, 1 widening, ratified by p/0002", (old, new))
    os.chdir("policies")
    equal(refused(allowc("gate", "--base", "main", "p.allow")), [])
    os.chdir("..")
    outside = Path(f"{os.getcwd()}-outside")
    outside.mkdir()
    try:
        # What the working folder has in a revision's place says nothing of the revision.
        shutil.move("adr", outside)
        os.symlink(f"{outside}/adr", "adr")
        equal(refused(allowc("gate", "main:policies/p.allow", "HEAD:policies/p.allow")), [])
        # Where OLD itself names a folder from the root, a person has looked at that.
        os.remove("adr")
        shutil.copytree(outside / "adr", "adr")
        for folder in ("before", "."):
            path = Path(folder, "policies/p.allow")
            write(path, path.read_text(encoding="utf-8").replace('"../adr"', f'"{outside}/adr"'))
        equal(refused(allowc("gate", "before/policies/p.allow", "policies/p.allow")), [])
    finally:
        shutil.rmtree(outside)


@attack
def a_name_more_for_the_same_file():
    """It is no next phase on top of the policy that it was, though that one is a layer now."""
    repository()
    adr("mine/0001-jq.md", "`jq`")
    write("policies/was.allow", POLICY)
    write("policies/p.allow", 'policy q\nextends "was.allow"\ndecisions "../mine"\n\n' + JQ.replace("adr 2", "adr 1"))
    shut("adr-scope", "trust-changed")


@attack
def a_record_that_is_in_no_commit():
    """The working folder has what it has: a gate of revisions sees what lands."""
    repository()
    write("policies/p.allow", ROW)
    commit()
    adr("adr/0002-jq.md", "`jq`")
    equal(refused(allowc("gate", "main:policies/p.allow", "HEAD:policies/p.allow")), ["adr-missing"])


@attack
def a_revision_that_is_not_there_is_no_new_policy():
    """As in a shallow clone."""
    repository()
    write("policies/p.allow", ROW)
    for old in ("origin/main:policies/p.allow", ":policies/p.allow"):
        contains(fails(2, "gate", "--initial", old, "policies/p.allow"), f"allowc: cannot read '{old}': ")
    contains(fails(2, "gate", "--initial", "--base", "origin/main", "policies/p.allow"), "there is no revision")


FETCH = "in a partial clone 'git fetch --refetch --no-filter' brings what is missing"


@attack
def content_that_is_not_in_the_repository_is_no_new_policy():
    """As in a partial clone: git says of it what it says of a path that is not there."""
    repository()
    objects = {path: git("rev-parse", f"main:{path}").stdout.strip()
               for path in ("policies/p.allow", "policies", "policies/low.allow", "adr/0001-tools.md", "adr")}  # fmt: skip
    write("policies/p.allow", ROW)
    adr("adr/0002-jq.md", "`jq`")
    why = f"its content is not in the repository; {FETCH}"
    for path, what in (("policies/p.allow", "read 'main:policies/p.allow'"), ("policies", "read 'main:policies/p.allow'"),
                       ("policies/low.allow", "read 'main:policies/low.allow'"), ("adr", "list 'main:policies/../adr'"),
                       ("adr/0001-tools.md", "read 'main:policies/../adr/0001-tools.md'")):  # fmt: skip
        place = Path(".git/objects", objects[path][:2], objects[path][2:])
        place.rename("kept")
        for option in ((), ("--initial",)):
            said = fails(2, "gate", *option, "--base", "main", "policies/p.allow").splitlines()
            equal(f"allowc: cannot {what}: {why}" in said, True, said)
        Path("kept").rename(place)
    is_open()


@attack
def content_that_git_would_have_to_fetch_is_no_new_policy():
    """A partial clone: nothing is fetched, whether or not the remote could be reached."""
    repository()
    git("config", "uploadpack.allowFilter", "true")
    git("clone", "-q", "--filter=blob:none", "--no-checkout", f"file://{os.getcwd()}", "part")
    git("clone", "-q", "--bare", ".", "bare.git")
    git("-C", "bare.git", "config", "uploadpack.allowFilter", "true")
    shutil.rmtree(".git")
    Path("part/.git").rename(".git")
    write("policies/p.allow", ROW)
    for remote in f"file://{os.getcwd()}/bare.git", "/nowhere":
        git("config", "remote.origin.url", remote)
        for option in ((), ("--initial",)):
            contains(fails(2, "gate", *option, "origin/main:policies/p.allow", "policies/p.allow"),
                     f"allowc: cannot read 'origin/main:policies/p.allow': git ended before it answered; {FETCH}\n")
    git("config", "remote.origin.url", f"file://{os.getcwd()}/bare.git")
    git("fetch", "-q", "--refetch", "--no-filter")
    equal(allowc("gate", *["origin/main:policies/p.allow"] * 2).returncode, 0)


@attack
def a_file_that_is_called_like_the_revision():
    repository()
    write("policies/p.allow", ROW)
    adr("adr/0002-jq.md", "`yq`")
    commit()
    for name in ("main:policies/p.allow", "HEAD:policies/p.allow"):
        write(name, ROW.replace(JQ, "") if name[0] == "H" else ROW)
        equal(fails(2, "gate", "main:policies/p.allow", "HEAD:policies/p.allow"),
              f"allowc: '{name}' is a file and a revision; the file is ./{name}\nTry 'allowc gate --help'.\n")
        shutil.rmtree(name.split("/")[0])
    equal(refused(allowc("gate", "main:policies/p.allow", "HEAD:policies/p.allow")), ["adr-silent"])


@attack
def a_layer_below_the_next_phase():
    """What a phase puts on top brings its own folder; what slips in under the one before it does not."""
    repository()
    adr("adr/next/0001-next.md", "`jq`")
    write("policies/next.allow", 'policy next\nextends p\ndecisions "../adr/next"\n\n' + JQ.replace("adr 2", "adr 1"))
    commit()
    equal(refused(allowc("gate", "main:policies/p.allow", "HEAD:policies/next.allow")), [])
    write("policies/under.allow", 'policy under\ndecisions "../adr/next"\n\nallow yq  adr 1  because "x"\n')
    write("policies/low.allow", LOW.replace("policy low\n", "policy low\nextends under\n"))
    adr("adr/next/0001-next.md", "`jq`, `yq`")
    commit()
    equal(refused(allowc("gate", "main:policies/p.allow", "HEAD:policies/next.allow")), ["adr-scope", "trust-changed"])
    # Nor does what the phase before brings now, itself.
    write("policies/low.allow", LOW)
    write("policies/p.allow", POLICY.replace('"../adr"\n', '"../adr"\ndecisions more "../adr/next"\n'))
    commit()
    equal(refused(allowc("gate", "main:policies/p.allow", "HEAD:policies/next.allow")), ["trust-changed"])


# ---- layers and libraries ----


@attack
def a_revoke_above_and_an_allow():
    repository()
    adr("adr/0002-gdb.md", "`gdb`")
    top = POLICY.replace("forbid strace", 'revoke gdb  adr 2  because "x"\nallow gdb  adr 2  because "x"\nforbid strace')
    write("policies/p.allow", top)
    shut("forbid-lifted")
    adr("adr/0002-gdb.md", "`gdb`", head="Amends: low/0001\n\n")
    is_open()


@attack
def a_lower_layer_edited_or_dropped():
    repository()
    write("policies/low.allow", LOW.replace("forbid gdb", "allow gdb"))
    shut("forbid-lifted")
    write("policies/low.allow", LOW)
    write("policies/p.allow", POLICY.replace("extends low\n", ""))
    shut("forbid-lifted", "trust-changed")


@attack
def a_library_edited_or_swapped():
    repository()
    for calls, rule in ((CALLS.replace("read, write", "read, write, mount"), "seccomp-setting"),
                        (CALLS.replace("ptrace, kcmp", "ptrace"), "forbid-lifted")):
        write("policies/calls.allow", calls)
        shut(rule)
    write("policies/calls.allow", CALLS)
    write("policies/p.allow", POLICY.replace('use "calls.allow"', 'use "calls.allow"\nuse <std-container-2026>')
          .replace("base @few", "base @container"))
    shut("seccomp-setting")


@attack
def a_base_that_grows_behind_a_row_that_speaks_of_the_call():
    """Such a row may be stricter than before, or hold for other arguments than `base` lets pass from now on."""
    calls = CALLS.replace("ptrace, kcmp", "kcmp")
    traced = POLICY + 'allow syscall ptrace(request == PTRACE_TRACEME)  adr 1  because "is traced"\n'
    shy = POLICY + 'forbid syscall ptrace(request == PTRACE_PEEKDATA)  adr 1  because "reads nothing"\n'
    for old, new in ((traced, traced.replace('"is traced"', '"is traced"  on linux')),
                     (shy, shy.replace('"reads nothing"', '"reads nothing"  with kill')),
                     (POLICY, traced)):
        shutil.rmtree(".git", ignore_errors=True)
        repository()
        adr("adr/0001-tools.md", NAMES + ", `ptrace`")
        write("policies/calls.allow", calls)
        write("policies/p.allow", old)
        commit()
        git("branch", "-f", "main")
        write("policies/p.allow", new)
        is_open()
        write("policies/calls.allow", calls.replace("read, write", "read, write, ptrace"))
        shut("seccomp-setting")


@attack
def a_group_that_shrinks_beside_a_call_that_is_freed():
    """clone3 hides the flags that a condition on clone reads, so that the condition holds it back."""
    repository()
    adr("adr/0001-tools.md", NAMES + ", `@more`, `clone`")
    calls = CALLS + "syscalls @more {\n    clone3, getpid\n}\n"
    held = 'allow syscall clone(flags & CLONE_NEWUSER)  adr 1  because "makes rooms"\n'
    group = 'allow syscall @more  adr 1  because "works"\n'
    write("policies/calls.allow", calls)
    write("policies/p.allow", POLICY + group + held)
    commit()
    git("branch", "-f", "main")
    write("policies/p.allow", POLICY + group)
    write("policies/calls.allow", calls.replace("clone3, getpid", "clone3"))
    shut("seccomp-setting")


@attack
def a_forbid_for_all_becomes_one_for_a_role():
    repository()
    row = 'forbid strace  adr 1  because "tracing is the host\'s"\n'
    write("policies/p.allow", POLICY.replace(row, "").replace("probe {\n", f"probe {{\n    {row}")
          .replace("expect forbidden strace\n", ""))
    shut("forbid-lifted", "guard-removed")


@attack
def a_role_renamed_emptied_or_dropped():
    repository()
    rule = '    forbid git  adr 1  because "clones nothing"\n'
    for new in (POLICY.replace("role probe", "role probes"), POLICY.replace(rule, ""),
                POLICY.replace("role probe {\n" + rule + "}\n", "")):
        write("policies/p.allow", new)
        shut("forbid-lifted")


@attack
def settings_one_by_one():
    repository()
    for new in ("base @few\n    unknown default", "base @few\n    unknown log", "default allow", "default log"):
        write("policies/p.allow", POLICY.replace("base @few", new))
        for done in both():
            equal((set(refused(done)) - {"forbid-lifted"}, done.returncode), ({"seccomp-setting"}, 1), new + done.stdout)
    for new in ("deny-with log", "abi x32, x86_64, i386, aarch64, arm"):  # the compiler refuses these above a layer
        write("policies/p.allow", POLICY.replace("base @few", f"base @few\n    {new}"))
        for done in both():
            equal((done.returncode, done.stdout, "[widens]" in done.stderr), (2, "", True))


@attack
def a_way_to_turn_a_rule_off():
    """There is none in a policy or an ADR, and none of a diagnostic on the command line."""
    repository()
    write("policies/p.allow", "# allowc: -Wno-adr-missing\n" + ROW + "# -Wno-adr-silent\n")
    shut("adr-missing")
    equal(fails(2, "gate", "-Wno-adr-missing", "--base", "main", "policies/p.allow").splitlines()[0],
          "allowc: there is no option '-W' here")


@attack
def a_title_that_speaks_for_the_gate():
    repository()
    write("policies/p.allow", ROW)
    adr("adr/0002-jq.md", "`yq`")
    text = Path("adr/0002-jq.md").read_text(encoding="utf-8")
    write("adr/0002-jq.md", text.replace("2. Tools", "2. Tools\rgate: open, no widening"))
    for done in both():
        equal((re.findall("^gate: open", done.stdout, re.MULTILINE), done.returncode), ([], 1))


tap.main()
