#!/usr/bin/env python3
"""allowc gate: each rule in both directions, from pairs of small policies. Exact texts are golden cases (gate-*)."""

import json
import os
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import allowc, contains, equal, fails, passes, test  # noqa: E402

BASE = """policy p
decisions "adr"

allow git  adr 1  because "clones"
allow docker  adr 1  because "builds"
forbid strace  adr 1  because "tracing is the host's"
"""
NAMES = "`git`, `docker`, `docker buildx`, `strace`, `gdb`, `CAP_SYS_PTRACE`, `ptrace`, `@some`"
JQ = 'allow jq  adr 2  because "cuts"\n'
AMENDS = "Amends: [0001](0001-tools.md)\n\n"


def write(path, text):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


def adr(number, names, status="Accepted", folder="new/adr", head="", stem="tools"):
    write(f"{folder}/{number:04}-{stem}.md", f"# {number}. Tools\n\nDate: 2026-05-0{number}\n\n"
          f"## Status\n\n{status}\n\n{head}## Decision\n\n{names}\n")


def adr_of_both(names):
    for side in ("old", "new"):
        adr(1, names, folder=f"{side}/adr")


def sides(old, new):
    """Two folders, as two revisions would have them; OLD's ADRs are those of NEW but for what a test adds."""
    if not Path("new/adr/0001-tools.md").exists():
        adr(1, NAMES)
    if not Path("old/adr").exists():
        adr(1, NAMES, folder="old/adr")
    write("old/p.allow", old)
    write("new/p.allow", new)


def gate(old, new, *options):
    sides(old, new)
    return allowc("gate", *options, "old/p.allow", "new/p.allow")


def refused(done):
    return re.findall(r"^gate: shut \[([a-z-]+)\]", done.stdout, re.MULTILINE)


def shut(old, new, *rules, options=()):
    done = gate(old, new, *options)
    equal((refused(done), done.returncode), (list(rules), 1), done.stdout + done.stderr)
    return done


def is_open(old, new, last, options=()):
    done = gate(old, new, *options)
    equal((done.stdout.splitlines()[-1], done.returncode), (f"gate: {last}", 0), done.stdout + done.stderr)


NOTHING = "open, no widening"
ONE = "open, 1 widening, ratified by p/0002"


# ---- what widens ----


@test
def an_added_command_needs_its_adr():
    shut(BASE, BASE + JQ, "adr-missing")
    adr(2, "`jq`")
    is_open(BASE, BASE + JQ, ONE)


@test
def one_good_citation_of_several_is_enough_and_the_furthest_is_refused():
    adr(2, "`jq`")
    is_open(BASE, BASE + JQ.replace("adr 2", "adr 1, 2"), ONE)
    adr(2, "`yq`")
    contains(shut(BASE, BASE + JQ.replace("adr 2", "adr 1, 2"), "adr-silent").stdout, "ADR p/0001 does not name 'jq'")


@test
def a_row_without_power_needs_its_adr_too():
    row = 'allow "docker run"  adr 1  because "more"\n'
    shut(BASE, BASE + row, "adr-silent")
    is_open(BASE, BASE + row.replace("run", "buildx"), NOTHING)


@test
def a_program_in_place_of_its_sub_command():
    part = BASE.replace("allow docker ", 'allow "docker buildx" ')
    adr_of_both("`git`, `docker buildx --push`, `docker buildx`, `strace`")
    contains(shut(part, BASE, "adr-silent").stdout, "ADR p/0001 does not name 'docker'; it names 'docker buildx'")
    adr_of_both("`git`, `docker buildx`, `strace`, `docker`")
    is_open(part, BASE, "open, 1 widening, ratified by p/0001")


@test
def a_longer_allow_below_a_forbid_lifts_a_part_of_it():
    old = BASE + 'forbid "docker run"  adr 1  because "no"\n'
    new = old + 'allow "docker run hello"  adr 2  because "tries it"\n'
    adr(1, NAMES + ", `docker run`")
    adr(2, "`docker run hello` and `docker run`")
    shut(old, new, "forbid-lifted")
    adr(2, "`docker run hello` and `docker run`", head=AMENDS)
    is_open(old, new, ONE)


@test
def requirements_places_and_ends_of_an_allow_row_are_terms_of_it():
    adr(2, "`yq`")
    row = 'allow jq  adr 2  because "cuts"  on linux  requires docker >= 20.10  path "/usr/bin/jq"  until 2099-01-01\n'
    for old, new in (("  on linux", ""), ("on linux", "on linux, macos"), ("20.10", "20.9"),
                     ("  requires docker >= 20.10", ""), ("  until 2099-01-01", ""), ("2099", "2199"),
                     ("/usr/bin", "/tmp"), ('  path "/usr/bin/jq"', ""), ("  on linux", "  on linux  as bash")):
        shut(BASE + row, BASE + row.replace(old, new), "adr-silent")
    for old, new in (("linux", "macos"),):
        shut(BASE + row, BASE + row.replace(old, new), "adr-silent")
    for old, new in (("2099", "2098"), ("docker >= 20.10", "docker >= 20.10, git"), ('"cuts"', '"cuts more"')):
        is_open(BASE + row, BASE + row.replace(old, new), NOTHING)
    adr(2, "`jq`")
    is_open(BASE + row, BASE + row.replace("  on linux", ""), ONE)


@test
def what_an_allow_row_lets_run_is_named_too():
    """By `as` or `path` another program runs than the one that is decided."""
    plugin = "plugin a {\n    tools jq\n}\n"
    adr_of_both("`git`, `docker`, `strace`, `docker buildx`")
    adr(2, "`jq`", folder="old/adr")
    adr(2, "`jq`")
    as_rm = JQ.replace('cuts"', 'cuts"  as rm')
    at_rm = JQ.replace('cuts"', 'cuts"  path "/usr/bin/jq", "/bin/rm"')
    contains(shut(BASE, BASE + as_rm + plugin, "adr-silent").stdout,
             "ADR p/0002 names 'jq', and not 'rm', which the row lets run\n  name `rm` in a code span of p/0002")
    contains(shut(BASE, BASE + at_rm, "adr-silent").stdout, "and not '/usr/bin/jq', which the row lets run")
    shut(BASE + JQ, BASE + as_rm, "adr-silent")
    shut(BASE + as_rm.replace("as rm", "as jq2"), BASE + as_rm, "adr-silent")
    is_open(BASE + as_rm, BASE + JQ, ONE)
    is_open(BASE + as_rm, BASE + as_rm.replace("because", "until 2099-01-01  because"), NOTHING)
    adr(2, "`jq`, `/usr/bin/jq`")
    contains(shut(BASE, BASE + at_rm, "adr-silent").stdout, "and not '/bin/rm', which the row lets run")
    is_open(BASE, BASE + at_rm.replace(', "/bin/rm"', ""), ONE)
    shut(BASE + at_rm.replace(', "/bin/rm"', ""), BASE + at_rm, "adr-silent")
    is_open(BASE + at_rm, BASE + at_rm.replace('"/usr/bin/jq", ', ""), NOTHING)
    adr(2, "`jq`, `rm`, `/usr/bin/jq`, `/bin/rm`")
    is_open(BASE, BASE + as_rm, ONE)
    is_open(BASE, BASE + at_rm, ONE)
    buildx = 'allow "docker buildx"  adr 1  because "builds"  as docker-buildx\n'
    is_open(BASE, BASE + buildx, NOTHING)
    shut(BASE, BASE + buildx.replace("docker-b", "docker_b"), "adr-silent")


@test
def a_tool_that_a_plugin_gets_needs_the_adr_of_its_row():
    adr_of_both("`git`, `strace`")
    plugin = "plugin a {\n    tools git\n}\n"
    shut(BASE + plugin, BASE + plugin.replace("git\n", "git, docker\n"), "adr-silent")
    shut(BASE, BASE + plugin.replace("git\n", "docker\n"), "adr-silent")
    is_open(BASE + plugin, BASE + plugin.replace("tools", "optional"), NOTHING)


@test
def a_row_that_cites_other_adrs_must_be_named_by_them():
    adr(2, "`git`")
    is_open(BASE, BASE.replace("git  adr 1", "git  adr 2"), NOTHING)
    shut(BASE, BASE.replace("docker  adr 1", "docker  adr 2"), "adr-silent")
    shut(BASE, BASE.replace("strace  adr 1", "strace  adr 2"), "adr-silent")


# ---- what guarded ----

AGAIN = 'allow strace  adr 2  because "traced again"\n'
NO_STRACE = BASE[:BASE.index("forbid")]


@test
def a_forbid_that_goes_needs_an_adr_that_overrules_its_own():
    adr(2, "`strace`")
    for new in (NO_STRACE, NO_STRACE + AGAIN, NO_STRACE + AGAIN.replace("allow", "decline")):
        shut(BASE, new, "forbid-lifted")
    adr(2, "`strace`", head=AMENDS)
    is_open(BASE, NO_STRACE, ONE)
    is_open(BASE, NO_STRACE + AGAIN, ONE)
    shut(BASE, NO_STRACE + AGAIN.replace("adr 2", "adr 1"), "forbid-lifted")


@test
def the_overruling_adr_is_accepted_and_names_the_subject():
    for names, status in (("`gdb`", "Accepted"), ("strace", "Accepted"), ("`strace`", "Proposed")):
        adr(2, names, status, head=AMENDS)
        shut(BASE, NO_STRACE, "forbid-lifted")


@test
def an_adr_of_another_project_is_not_overruled():
    """No scope that is known is called so, and the number alone is no ADR of ours."""
    for written in ("legacy/0001", "[x](../../other/0001-t.md)", "[ADR 1](https://example.org/other/0001-t.md)"):
        adr(2, "`strace`", head=f"Amends: {written}\n\n")
        shut(BASE, NO_STRACE, "forbid-lifted")
        shut(BASE, NO_STRACE + AGAIN, "forbid-lifted")
    for written in ("p/0001", "P/ADR-1", "[x](0001-t.md)", "[x](../adr/0001-t.md)", "ADR 1", "0001"):
        adr(2, "`strace`", head=f"Amends: {written}\n\n")
        is_open(BASE, NO_STRACE, ONE)


@test
def a_spelling_overrules_in_the_scope_of_that_name_or_in_the_only_one_it_may_mean():
    scopes = 'decisions phase2 "two"\ndecisions 02 "zero-two"\n'
    for side in ("old", "new"):
        for folder in ("two", "zero-two"):
            adr(1, NAMES, folder=f"{side}/{folder}")
    for written, meant in (("phase2/0001", ["phase2"]), ("02/0001", ["02"]), ("P2/0001", []), ("02-tools/0001", [])):
        adr(2, "`strace`", head=f"Amends: {written}\n\n")
        for scope in ("phase2", "02"):
            old = BASE.replace("\n\nallow", f"\n{scopes}\nallow").replace("strace  adr 1", f"strace  adr {scope}/1")
            now = old.replace(old[old.index("forbid"):], "")
            if scope in meant:
                is_open(old, now, ONE)
            else:
                shut(old, now, "forbid-lifted")


@test
def an_adr_of_a_scope_that_is_spelt_alike_is_not_overruled():
    """A scope's own name goes before other spellings, and what may be either of two is neither."""
    old = BASE.replace('decisions "adr"', 'decisions P2 "p2"\ndecisions phase2 "adr"\ndecisions phase-2 "p-2"')
    old = old.replace("adr 1", "adr phase2/1")
    for scope in ("p2", "p-2"):
        for side in ("old", "new"):
            adr(1, NAMES, folder=f"{side}/{scope}")
    lifted = old[:old.index("forbid")]
    for written in ("P2/0001", "phase-2/0001", "02/0001"):
        adr(2, "`strace`", head=f"Amends: {written}\n\n", folder="new/p2")
        shut(old, lifted, "forbid-lifted")
    adr(2, "`strace`", head="Amends: phase2/0001\n\n", folder="new/p2")
    is_open(old, lifted, "open, 1 widening, ratified by P2/0002")


@test
def an_adr_does_not_overrule_itself():
    adr(1, NAMES, head="Amends: [0001](0001-tools.md)\n\n")
    shut(BASE, NO_STRACE, "forbid-lifted")


@test
def superseded_by_says_the_same():
    adr(1, NAMES, "Superseded by [0002](0002-tools.md)")
    adr(2, NAMES)
    is_open(BASE, NO_STRACE.replace("adr 1", "adr 2"), ONE)


@test
def a_revoke_cites_the_overruling_adr():
    top = 'policy top\nextends p\ndecisions "adr"\n'
    revoke = 'revoke strace  adr {}  because "traced again"\n'
    adr(2, "`strace`", head=AMENDS)
    sides(BASE, BASE)
    for side in ("old", "new"):
        write(f"{side}/top.allow", top)
    for number, rules in ((1, ["forbid-lifted"]), (2, [])):
        write("new/top.allow", top + revoke.format(number))
        done = allowc("gate", "old/top.allow", "new/top.allow")
        # The two scopes have one folder: an ADR of `top` amends that of `p` only where it says so.
        equal(refused(done), ["forbid-lifted"], done.stdout)
    write("new/top.allow", top + revoke.format("p/2"))
    equal(refused(allowc("gate", "old/top.allow", "new/top.allow")), [])


@test
def a_forbid_that_says_less_is_lifted_in_part():
    old = BASE.replace('host\'s"', 'host\'s"  needs syscall ptrace, kcmp')
    for attribute in ("", "  needs syscall ptrace", "  needs syscall ptrace, kcmp  until 2099-01-01",
                      "  needs syscall ptrace, kcmp  on linux", "  needs syscall ptrace, kcmp  with log"):
        shut(old, BASE.replace('host\'s"', f'host\'s"{attribute}'), "forbid-lifted")
    is_open(old, BASE.replace('host\'s"', 'host\'s"  needs syscall ptrace, kcmp, process_vm_readv'), NOTHING)
    is_open(old, BASE.replace('host\'s"', 'host\'s"  needs syscall ptrace, kcmp  with kill'), NOTHING)


@test
def capabilities_and_calls_are_guarded_too():
    old = BASE + 'forbid CAP_SYS_PTRACE  adr 1  because "no"\nforbid syscall ptrace  adr 1  because "no"\n'
    shut(old, BASE, "forbid-lifted", "forbid-lifted")
    adr(2, "`CAP_SYS_PTRACE`, `ptrace`", head=AMENDS)
    is_open(old, BASE, "open, 2 widenings, ratified by p/0002")


@test
def roles_narrow_less():
    role = 'role probe {\n    forbid docker  adr 1  because "builds nothing"\n}\n'
    other = role.replace("}", '    allow "docker ps"  adr 1  because "lists"\n}')
    shut(BASE + role, BASE, "forbid-lifted")
    shut(BASE + role, BASE + role.replace("probe", "probes"), "forbid-lifted")
    shut(BASE + role, BASE + role + "\n" + other.replace("role probe", "role gate"), "adr-silent")
    equal(set(refused(gate(BASE + role, BASE + other))), {"adr-silent", "forbid-lifted"})
    adr(2, "`docker`", head=AMENDS)
    is_open(BASE + role, BASE, ONE)
    is_open(BASE, BASE + role, NOTHING)


@test
def a_row_of_a_role_that_allows_what_all_may_run_widens_nothing():
    """The gate counts as the axis of commands does; its ADR must name the row all the same."""
    role = 'role probe {\n    allow git, docker  adr 1  because "works"\n}\n'
    is_open(BASE, BASE + role, NOTHING)
    is_open(BASE, BASE + role, NOTHING, options=("--require-adr=changed",))
    shut(BASE, BASE + role.replace("git", '"docker ps"'), "adr-silent")
    adr(2, "`docker`, `/opt/docker`")
    is_open(BASE, BASE + role.replace("git, docker", "docker").replace("adr 1", 'path "/opt/docker"  adr 2'), ONE)


@test
def a_forbid_of_a_role_gives_way_to_no_row_while_all_gain_the_same():
    """The layers' ADR decides for everyone, and not over what one for the role says."""
    role = 'role probe {\n    forbid git  adr 1  because "clones nothing"\n}\n'
    turned = role.replace("forbid git  adr 1", "allow git  adr 2")
    lifted = role.replace("}", '    allow "git log"  adr 2  because "reads"\n}')
    without = BASE.replace('allow git  adr 1  because "clones"\n', "")
    wider = without + 'allow git  adr 2  because "clones"\n'
    adr(2, "`git`, `git log`")
    is_open(without + role, wider + role, ONE)
    shut(without + role, wider, "forbid-lifted")
    shut(without + role, wider + turned, "forbid-lifted")
    done = shut(without + role, wider + lifted, "forbid-lifted")
    contains(done.stdout, "gate: shut [forbid-lifted] p.allow:9 git log: ADR p/0001 forbade 'git', and no accepted ADR "
                          "that is cited here overrules it\n")
    adr(2, "`git`, `git log`", head=AMENDS)
    for row in turned, lifted:
        is_open(without + role, wider + row, "open, 2 widenings, ratified by p/0002")


@test
def a_new_guard_must_be_named():
    guard = 'forbid {}  adr 1  because "no"\n'
    shut(BASE, BASE + guard.format("gdbb"), "adr-silent")
    is_open(BASE, BASE + guard.format("gdb"), NOTHING)
    role = "role probe {{\n    forbid {}  adr 1  because \"no\"\n}}\n"
    adr_of_both("`git`, `strace`")
    shut(BASE, BASE + role.format("docker"), "adr-silent")
    is_open(BASE, BASE + role.format("git"), NOTHING)


@test
def an_expectation_that_lapses_is_lost():
    top = 'policy top\nextends p\ndecisions "adr"\n'
    adr(2, "`strace`", head=AMENDS)
    sides(BASE + "expect forbidden strace\n", BASE + "expect forbidden strace\n")
    write("old/top.allow", top)
    write("new/top.allow", top + 'revoke strace  adr p/2  because "traced again"\n')
    done = allowc("gate", "old/top.allow", "new/top.allow")
    equal(refused(done), ["guard-removed"], done.stdout)
    equal(refused(allowc("gate", "--allow", "guard-removed", "old/top.allow", "new/top.allow")), [])


# ---- the filter ----


@test
def settings_that_let_more_pass():
    some = BASE + 'forbid syscall ptrace  adr 1  because "no"\n'
    base = BASE + "syscalls @few {\n    read\n}\nseccomp {\n    base @few\n}\n"
    for old, new in (
        (some + "seccomp {\n    deny-with kill\n}\n", some),
        (some, some + "seccomp {\n    deny-with log\n}\n"),
        (base, BASE),
        (base, base.replace("    read\n", "    read, write\n")),
        (base.replace("base @few", "default kill"), base.replace("base @few", "default log")),
        (some + "seccomp {\n    abi x86_64\n}\n", some),
        (base, base.replace("base @few", "base @few\n    unknown log")),
    ):
        equal(set(refused(gate(old, new))), {"seccomp-setting"}, new)
        equal(refused(gate(old, new, "--allow", "seccomp-setting")), [], new)
        equal(refused(gate(new, old)), [], new)


@test
def a_group_that_a_row_allows_has_grown():
    group = "syscalls @some {\n    read, write\n}\n"
    old = BASE + group + 'allow syscall @some  adr 1  because "works"\nseccomp {\n    default errno EPERM\n}\n'
    new = old.replace("read, write", "read, write, kcmp")
    contains(shut(old, new, "adr-silent").stdout, "ADR p/0001 names the group, and not 'kcmp', which it has gained")
    write("old/adr/0001-tools.md", Path("new/adr/0001-tools.md").read_text(encoding="utf-8").replace("`gdb`", "gdb"))
    shut(old, new, "adr-silent")
    adr(2, "`@some`")
    is_open(old, new.replace("@some  adr 1", "@some  adr 2"), ONE)
    adr_of_both(NAMES + ", `kcmp`")
    is_open(old, new, "open, 1 widening, ratified by p/0001")
    adr(1, NAMES.replace("@some", "@none"))
    equal(set(refused(gate(old, new))), {"adr-silent"})


@test
def a_call_of_a_group_loses_its_condition():
    """The name alone is no measure: with the condition the group let less pass."""
    group = "syscalls @some {\n    read, socket(domain == AF_UNIX)\n}\n"
    old = BASE + group + 'allow syscall @some  adr 1  because "works"\nseccomp {\n    default errno EPERM\n}\n'
    bare = old.replace("(domain == AF_UNIX)", "")
    contains(shut(old, bare, "adr-silent").stdout,
             "ADR p/0001 names the group, and not 'socket', which it has gained")
    contains(shut(old, old.replace("AF_UNIX", "AF_INET"), "adr-silent").stdout,
             "and not 'socket(domain == AF_INET)', which it has gained")
    is_open(bare, old, NOTHING, ["--require-adr=changed"])
    adr_of_both(NAMES + ", `socket`")
    is_open(old, bare, "open, 1 widening, ratified by p/0001")


@test
def a_group_that_is_the_base_grows_beside_a_row_about_the_same_call():
    base = BASE + "syscalls @few {\n    read\n}\nseccomp {\n    base @few\n}\n"
    forbid = 'forbid syscall socket(domain == AF_ALG)  adr 1  because "no"\n'
    more = base.replace("    read\n", "    read, socket\n")
    problem = "seccomp base: a group has changed: may do more: socket"
    contains(shut(base + forbid, more + forbid.replace('"no"', '"no"  with kill'), "seccomp-setting").stdout, problem)
    adr(2, "`socket`")
    allow = 'allow syscall socket(domain == AF_UNIX)  adr 2  because "talks"\n'
    contains(shut(base, more + allow, "seccomp-setting").stdout, problem)
    is_open(base, base + allow, ONE)


@test
def a_call_of_the_base_that_a_row_forbade_is_no_new_one_of_the_group():
    base = BASE + "syscalls @few {\n    read, write\n}\nseccomp {\n    base @few\n}\n"
    adr_of_both(NAMES + ", `write`")
    adr(2, "`write`", head=AMENDS)
    is_open(base + 'forbid syscall write  adr 1  because "no"\n', base, ONE)


@test
def another_group_is_the_base_with_one_call_more():
    base = BASE + "syscalls @few {\n    read\n}\nsyscalls @more {\n    read, write\n}\nseccomp {\n    base @few\n}\n"
    done = shut(base, base.replace("base @few", "base @more"), "seccomp-setting")
    contains(done.stdout, "seccomp base: the setting lets more pass than in OLD")


@test
def a_group_that_a_row_forbids_has_shrunk():
    group = "syscalls @some {\n    kcmp, ptrace\n}\n"
    old = BASE + group + 'forbid syscall @some  adr 1  because "no"\n'
    shut(old, old.replace("kcmp, ptrace", "ptrace"), "forbid-lifted")
    is_open(old, old.replace("kcmp, ptrace", "kcmp, ptrace, process_vm_readv"), NOTHING)
    part = old.replace("kcmp, ptrace", "socket(domain == AF_ALG)")
    is_open(part, part.replace("(domain == AF_ALG)", ""), NOTHING)
    shut(part.replace("(domain == AF_ALG)", ""), part, "forbid-lifted")


# ---- standing ----


@test
def rows_that_stay_are_asked_what_the_compiler_asks():
    """A quiet edit elsewhere does not hide that an ADR was withdrawn, or deleted."""
    for status in ("Proposed", "Rejected", "Deprecated", "Superseded by [0002](0002-x.md)"):
        adr(1, NAMES, status)
        shut(BASE, BASE.replace('"clones"', '"clones all"'), "adr-status")
    os.remove("new/adr/0001-tools.md")
    write("new/adr/0003-other.md", "# 3. Other\n\nStatus: Accepted\n")
    write("new/p.allow", BASE)
    done = allowc("gate", "old/p.allow", "new/p.allow")
    equal((refused(done), "the change deletes ADR p/0001" in done.stdout), (["adr-missing"], True))


@test
def a_revoke_that_stays_is_asked_too():
    policy = 'policy top\nextends p\ndecisions "adr"\nrevoke strace  adr p/2  because "traced again"\n'
    sides(BASE, BASE)
    for side, status in (("old", "Accepted"), ("new", "Proposed")):
        adr(2, "`strace`", status, folder=f"{side}/adr", head=AMENDS)
        write(f"{side}/top.allow", policy)
    done = allowc("gate", "old/top.allow", "new/top.allow")
    equal((refused(done), done.returncode), (["adr-status"], 1), done.stdout + done.stderr)


@test
def what_adrs_say_against_old_does_not_shut_the_gate():
    adr(1, NAMES, "Proposed", folder="old/adr")
    done = gate(BASE, BASE)
    equal((done.returncode, done.stderr, refused(done)), (0, "", []))


@test
def until_is_held_against_the_day():
    row = JQ.replace('cuts"', 'cuts"  until 2000-01-01')
    adr(2, "`jq`")
    shut(BASE + row, BASE + row, "expired")
    is_open(BASE + row, BASE + row, NOTHING, ["--today", "2000-01-01"])
    role = BASE + 'role probe {\n    forbid docker  adr 1  because "no"  until 2000-01-01\n}\n'
    shut(role, role, "expired")


@test
def changed_means_new_or_amended_by_more_than_white_space():
    strict = ["--require-adr=changed"]
    sides(BASE, BASE)
    adr(2, "`jq`", folder="old/adr")
    adr(2, "`jq`")
    shut(BASE, BASE + JQ, "adr-unchanged", options=strict)
    adr(2, "`jq`\n\n  ")
    shut(BASE, BASE + JQ, "adr-unchanged", options=strict)
    for unseen in ("\u202e", "\u200b", "\x7f"):
        adr(2, f"`jq`{unseen}")
        shut(BASE, BASE + JQ, "adr-unchanged", options=strict)
    is_open(BASE, BASE + JQ, ONE, ["--require-adr"])
    adr(2, "`jq` may be run")
    is_open(BASE, BASE + JQ, ONE, strict)
    os.remove("old/adr/0002-tools.md")
    adr(2, "`jq`")
    is_open(BASE, BASE + JQ, ONE, strict)
    is_open(BASE, BASE + 'forbid gdb  adr 1  because "no"\nallow "docker buildx"  adr 1  because "builds"\n', NOTHING, strict)
    adr(2, "`strace`", head=AMENDS)
    is_open(BASE, NO_STRACE, ONE, strict)
    shutil.copy("new/adr/0002-tools.md", "old/adr/0002-tools.md")
    shut(BASE, NO_STRACE, "forbid-lifted", options=strict)


@test
def the_rows_in_an_adr_are_seen():
    fence = '`jq`\n\n```allow\nallow jq  because "{}"\n```'
    sides(BASE, BASE)
    adr(2, fence.format("cuts"), folder="old/adr")
    adr(2, fence.format("cuts"))
    shut(BASE, BASE + JQ, "adr-unchanged", options=["--require-adr=changed"])
    adr(2, fence.format("cuts json"))
    is_open(BASE, BASE + JQ, ONE, ["--require-adr=changed"])


@test
def a_row_that_changes_in_two_ways_is_asked_both_times():
    """It cites another ADR, which names it, and is for more systems, which that ADR did not say in this change."""
    for number in (2, 3):
        for side in ("old", "new"):
            adr(number, "`jq`", folder=f"{side}/adr")
    sides(BASE, BASE)
    old, new = BASE + JQ.replace("cuts\"", "cuts\"  on linux"), BASE + JQ.replace("adr 2", "adr 3")
    is_open(old, new, "open, 1 widening, ratified by p/0003")
    shut(old, new, "adr-unchanged", options=["--require-adr=changed"])


# ---- whose rules hold ----


@test
def decisions_and_accept_are_old_s():
    adr(1, NAMES, "Agreed")
    adr(1, NAMES, "Agreed", folder="old/adr")
    adr(2, "`jq`", "Agreed")
    agreed = BASE.replace('"adr"', '"adr" accept "Agreed"')
    is_open(agreed, agreed + JQ, ONE)
    adr(2, "`jq`", "Draft")
    drafts = agreed.replace('"Agreed"', '"Agreed", "Draft"')
    shut(agreed, drafts + JQ, "adr-status", "trust-changed")
    shut(agreed, drafts, "trust-changed")
    shut(drafts, agreed, "trust-changed")
    shut(agreed, drafts + JQ, "adr-status", options=["--allow", "trust-changed"])


@test
def decisions_that_lead_elsewhere_do_not_hold():
    adr(2, "`jq`", folder="new/mine")
    adr(1, NAMES, folder="new/mine")
    mine = BASE.replace('"adr"', '"mine"')
    shut(BASE, mine + JQ, "adr-missing", "trust-changed")
    shut(BASE, mine, "trust-changed")
    is_open(BASE, mine, "open, no widening; allowed: trust-changed", ["--allow", "trust-changed"])
    shutil.rmtree("new/adr")
    os.makedirs("new/adr")
    is_open(BASE, mine, "open, no widening; allowed: trust-changed", ["--allow", "trust-changed"])


@test
def the_same_folder_written_in_another_way_is_the_same():
    is_open(BASE, BASE.replace('"adr"', '"./adr/"'), NOTHING)


@test
def a_scope_more_is_a_change_of_trust_and_so_is_one_less():
    adr(2, "`jq`", folder="new/mine")
    more = BASE.replace('"adr"\n', '"adr"\ndecisions mine "mine"\n')
    shut(BASE, more + JQ.replace("adr 2", "adr mine/2"), "adr-scope", "trust-changed")
    is_open(BASE, more + JQ.replace("adr 2", "adr mine/2"),
            "open, 1 widening, ratified by mine/0002; allowed: trust-changed", ["--allow", "trust-changed"])
    adr(2, "`jq`", folder="old/mine")
    shut(more, BASE, "trust-changed")


@test
def a_layer_that_slips_in_brings_no_folder_of_its_own():
    """Neither below, nor as what the file now calls itself."""
    adr(1, "`jq`", folder="new/mine")
    sides(BASE, BASE)
    low = 'policy low\ndecisions "mine"\nallow jq  adr 1  because "cuts"\n'
    write("new/low.allow", low)
    write("new/p.allow", BASE.replace("policy p\n", "policy p\nextends low\n"))
    done = allowc("gate", "old/p.allow", "new/p.allow")
    equal(refused(done), ["adr-scope", "trust-changed"], done.stdout)
    write("new/q.allow", BASE)
    write("old/p.allow", BASE)
    os.chdir("new")
    shutil.copy("../old/p.allow", "before.allow")
    # Another file that extends it: a next phase, whose folder is its own, whatever it and its file are called.
    for old in ("before.allow", "../old/p.allow"):
        for name in "qo":
            write("p.allow", f'policy {name}\nextends "q.allow"\ndecisions "mine"\nallow jq  adr 1  because "cuts"\n')
            done = allowc("gate", old, "p.allow")
            equal(refused(done), [], done.stdout)
    words = 'accept "Draft", "Ripe"'
    write("p.allow", f'policy q\nextends "q.allow"\ndecisions "mine" {words}\nallow jq  adr 1  because "cuts"\n')
    done = allowc("gate", "before.allow", "p.allow")
    equal(refused(done), ["adr-scope", "trust-changed"])
    contains(done.stdout, 'it accepts "Draft", "Ripe", which OLD does nowhere')


@test
def a_folder_more_of_a_pattern_is_no_other_rule():
    adr(1, NAMES, folder="old/docs/p")
    adr(1, NAMES, folder="new/docs/p")
    adr(2, "`jq`", folder="new/docs/q")
    pattern = BASE.replace('"adr"', '"docs/*"')
    is_open(pattern, pattern + JQ.replace("adr 2", "adr q/2"), "open, 1 widening, ratified by q/0002")
    shut(BASE, pattern, "trust-changed")
    # Nor where OLD had several of it; other words are, for all of them together.
    adr(1, "`dive`", folder="old/docs/o")
    adr(1, "`dive`", folder="new/docs/o")
    is_open(pattern, pattern + JQ.replace("adr 2", "adr q/2"), "open, 1 widening, ratified by q/0002")
    shut(pattern, pattern.replace('"docs/*"', '"docs/*" accept "Active"'), "trust-changed")


@test
def each_pattern_is_a_rule_of_its_own():
    adr(1, NAMES, folder="old/docs/p")
    adr(1, NAMES, folder="new/docs/p")
    adr(1, "`dive`", folder="old/more/m")
    adr(1, "`dive`", folder="new/more/m")
    adr(2, "`jq`", folder="new/more/q")
    both = BASE.replace('"adr"', '"docs/*"\ndecisions "more/*"')
    widened = JQ.replace("adr 2", "adr q/2")
    is_open(both, both + widened, "open, 1 widening, ratified by q/0002")
    shut(both.replace('\ndecisions "more/*"', ""), both + widened, "adr-scope", "trust-changed")


@test
def a_policy_without_decisions_can_widen_nothing():
    bare = 'policy p\n\nallow git  adr 1  because "clones"\n'
    is_open(bare, bare, NOTHING)
    shut(bare, bare + JQ, "adr-scope")
    shut(bare, BASE[:BASE.index("allow docker")], "trust-changed")
    # What one says that had them is not left unchecked, though a person lets them go.
    shut(BASE[:BASE.index("allow docker")], bare, "adr-scope", options=["--allow", "trust-changed"])


# ---- demands ----


@test
def exactly_counts_what_the_adr_adds_here():
    adr(2, "`jq`, `dive`")
    both = BASE + JQ + JQ.replace("jq", "dive")
    is_open(BASE, both, "open, 2 widenings, ratified by p/0002", ["--exactly", "2=jq,dive"])
    is_open(BASE + JQ, both, ONE, ["--exactly", "p/2=dive"])
    shut(BASE, both, "exactly", options=["--exactly", "2=jq"])
    shut(BASE, BASE + JQ, "exactly", options=["--exactly", "2=jq,dive"])
    shut(BASE, BASE + JQ, "exactly", options=["--exactly", "2="])
    is_open(BASE, BASE + JQ, ONE, ["--exactly", "1="])


@test
def an_adr_that_is_named_by_its_date_counts_as_one_with_a_number():
    text = "# Tools\n\n## Status\n\nAccepted\n\n## Decision\n\n`jq`\n"
    write("new/adr/20260502-cuts.md", text)
    write("new/adr/20260502-joins.md", text)
    dated = BASE + JQ.replace("adr 2", "adr 20260502-cuts")
    is_open(BASE, dated, "open, 1 widening, ratified by p/20260502-cuts", ["--exactly", "20260502-cuts=jq"])
    shut(BASE, dated, "exactly", options=["--exactly", "20260502-joins=jq"])
    number = "9" * 20
    contains(shut(BASE, BASE, "exactly", options=["--exactly", f"{number}=jq"]).stdout, f"'p/{number}' is no reference")


@test
def exactly_counts_system_calls_among_the_others():
    adr(2, "`jq`, `mount`")
    old = BASE + "seccomp {\n    default errno EPERM\n}\nallow syscall read  adr 1  because \"works\"\n"
    new = old + JQ + 'allow syscall mount  adr 2  because "mounts"\n'
    is_open(old, new, "open, 2 widenings, ratified by p/0002")
    contains(shut(old, new, "exactly", options=["--exactly", "2=jq"]).stdout, "ADR 2 adds 'syscall mount' too")


@test
def exactly_sees_what_else_the_adr_lets_pass():
    """Forbids that it lifts, for everyone or in a role, and terms of a row."""
    guards = ('forbid "docker run"  adr 1  because "no"\nforbid CAP_SYS_PTRACE  adr 1  because "no"\n'
              'role probe {\n    forbid git  adr 1  because "no"\n}\n')
    names = "`git`, `docker`, `docker run`, `strace`, `CAP_SYS_PTRACE`"
    adr_of_both(names)
    adr(2, names + ", `jq`, `jq x`", head=AMENDS)
    only = ["--exactly", "2=jq"]
    done = shut(BASE + guards, BASE + JQ, "exactly", "exactly", "exactly", options=only)
    contains(done.stdout, "ADR 2 lets more of 'docker run' pass too\n  leave it as it was: --exactly does not name it\n")
    contains(done.stdout, "ADR 2 lets more of 'CAP_SYS_PTRACE' pass too\n")
    contains(done.stdout, "ADR 2 lets more of 'git' pass too\n")
    linux = JQ.replace('cuts"', 'cuts"  on linux')
    shut(BASE + linux, BASE + JQ, "exactly", options=["--exactly", "2="])
    is_open(BASE + linux, BASE + JQ, ONE, ["--exactly", "1="])
    no_jq = 'forbid jq  adr 1  because "no"\n'
    adr_of_both(names + ", `jq`")
    for more in (JQ, JQ.replace("allow jq", 'allow "jq x"') + no_jq):
        subject = "jq x" if "jq x" in more else "jq"
        is_open(BASE + no_jq, BASE + more, ONE, ["--exactly", f"2={subject}"])
        shut(BASE + no_jq, BASE + more, "exactly", options=["--exactly", "2="])


@test
def exactly_speaks_of_an_adr_that_is_there():
    for reference, problem in (("zz/2", "no `decisions` says where the ADRs of 'zz' are"), ("99", "there is no ADR p/99"),
                               ("02 x", "'p/02 x' is no reference")):
        equal(shut(BASE, BASE, "exactly", options=["--exactly", reference + "="]).stdout.split("[exactly] ")[1],
              f"{reference}: --exactly speaks of no ADR: {problem}\n  name an ADR that counts, as a row would cite it\n")
    adr(2, "`jq`", "Proposed")
    is_open(BASE, BASE, NOTHING, ["--exactly", "2="])


@test
def fail_on():
    adr(2, "`jq`")
    shut(BASE, BASE + JQ, "wider", options=["--fail-on", "wider"])
    is_open(BASE + JQ, BASE, NOTHING, ["--fail-on", "wider"])
    shut(BASE + JQ, BASE, "changed", options=["--fail-on", "any"])
    is_open(BASE, BASE + "# a comment\n", NOTHING, ["--fail-on", "any"])


@test
def an_old_that_is_not_there_needs_initial():
    sides(BASE, BASE)
    os.remove("old/p.allow")
    equal(fails(2, "gate", "old/p.allow", "new/p.allow"),
          "allowc: cannot read 'old/p.allow': No such file or directory\n"
          "allowc: a policy that is new is judged with --initial\n")
    equal(passes("gate", "--initial", "old/p.allow", "new/p.allow").stdout.splitlines()[-1],
          "gate: open, 2 widenings, ratified by p/0001")
    write("new/p.allow", BASE + JQ.replace("adr 2", "adr 1"))
    equal(refused(allowc("gate", "--initial", "old/p.allow", "new/p.allow")), ["adr-silent"])
    write("old/p.allow", BASE)
    write("new/p.allow", BASE.replace('"adr"', '"adr" accept "Draft"'))
    equal(refused(allowc("gate", "--initial", "old/p.allow", "new/p.allow")), ["trust-changed"])


@test
def trouble_is_no_open_gate():
    sides(BASE, BASE)
    for old, new in (("alow x\n", ""), ("", "alow x\n"), ("", "expect allowed jq\n")):
        done = gate(BASE + old, BASE + new, "--initial")
        equal((done.returncode, done.stdout), (2, ""))
    equal(fails(2, "gate", "--initial", "old/p.allow", "new/none.allow"),
          "allowc: cannot read 'new/none.allow': No such file or directory\n")
    Path("old/p.allow").unlink()
    Path("old/p.allow").mkdir()
    equal(fails(2, "gate", "--initial", "old/p.allow", "new/p.allow").splitlines()[0],
          "allowc: cannot read 'old/p.allow': Is a directory: name a file in it")


@test
def usage():
    for arguments, told in (
        ((), "two policies are compared: OLD NEW, or --base REV POLICY"),
        (("--require-adr=chnaged", "a", "b"),
         "--require-adr cannot be 'chnaged'; it is '--require-adr' or '--require-adr=changed'"),
        (("--fail-on", "widr", "a", "b"), "--fail-on cannot be 'widr'; did you mean 'wider'?"),
        (("--allow", "all", "a", "b"),
         "--allow cannot be 'all'; it is 'trust-changed', 'guard-removed' or 'seccomp-setting'"),
        (("--exactly", "2", "a", "b"), "--exactly cannot be '2'; it is an ADR and its commands: 0015=dive,jq"),
        (("--exactly", "2=jq,", "a", "b"), "--exactly cannot be '2=jq,'; it is an ADR and its commands: 0015=dive,jq"),
        (("--today", "2026-02-30", "a", "b"), "--today cannot be '2026-02-30'; there is no such day"),
        (("--initial", "", "b"), "the name of a policy is empty"),
        (("a", ""), "the name of a policy is empty"),
        (("--base", "a", ""), "the name of a policy is empty"),
        (("--list-rules", "a"), "--list-rules judges nothing, so no policy is named"),
        (("--stats", "a", "b"), "there is no option '--stats' here"),
    ):
        equal(fails(2, "gate", *arguments), f"allowc: {told}\nTry 'allowc gate --help'.\n")


# ---- forms ----


@test
def every_rule_has_a_case_and_stands_in_the_schema():
    ids = [line.split()[0] for line in passes("gate", "--list-rules").stdout.splitlines()]
    schema = json.loads((suite.ROOT / "packaging/schema/diff.schema.json").read_text(encoding="utf-8"))
    equal(schema["$defs"]["refusal"]["properties"]["rule"]["enum"], ids)
    texts = "".join(path.read_text(encoding="utf-8")
                    for path in (suite.ROOT / "tests/golden").glob("gate-*/expect.stdout"))
    equal([rule for rule in ids if f"gate: shut [{rule}]" not in texts], [])


@test
def json_fits_its_schema():
    import jsonschema  # pylint: disable=import-outside-toplevel

    schema = json.loads((suite.ROOT / "packaging/schema/diff.schema.json").read_text(encoding="utf-8"))
    adr(2, "`jq`")
    for new, options in ((BASE, ()), (BASE + JQ, ()), (NO_STRACE, ()), (BASE + JQ, ("--fail-on", "any")),
                         (BASE.replace('"adr"', '"./"'), ("--allow", "trust-changed"))):
        data = json.loads(gate(BASE, new, "--format", "json", *options).stdout)
        jsonschema.Draft202012Validator(schema).validate(data)
    equal(json.loads(gate(BASE, NO_STRACE, "--format", "json").stdout)["gate"], {
        "open": False, "widenings": 1, "ratified_by": [], "allowed": [], "refusals": [{
            "rule": "forbid-lifted", "subject": "strace", "side": "old", "layer": "p", "file": "p.allow", "line": 6,
            "more_rows": 0, "problem": "ADR p/0001 forbade 'strace', and no accepted ADR overrules it",
            "edit": "add an accepted ADR that supersedes or amends p/0001 and names `strace`"}]})


@test
def markdown_stays_small_and_says_what_it_left_out():
    rows = "".join(f'allow tool-{i}  adr 1  because "{"x" * 40}"\n' for i in range(3000))
    text = gate(BASE, BASE + rows, "--format", "markdown").stdout
    equal(len(text.encode()) < 60000, True)
    equal(text.count("To open it: "), 20)
    contains(text, "\n- 2980 more reasons: `allowc gate --format json` shows all.\n")


@test
def diff_says_it_last_and_shorter():
    adr(2, "`jq`")
    sides(BASE, BASE + JQ)
    equal(allowc("diff", "old/p.allow", "new/p.allow").stdout.splitlines()[-1], f"gate: {ONE}")
    write("new/p.allow", NO_STRACE)
    equal(allowc("diff", "--stats", "old/p.allow", "new/p.allow").stdout.splitlines()[-1],
          "gate: shut [forbid-lifted]: add an accepted ADR that supersedes or amends p/0001 and names `strace`")
    equal(json.loads(allowc("diff", "--format", "json", "old/p.allow", "new/p.allow").stdout)["gate"]["open"], False)
    contains(allowc("diff", "--format", "markdown", "old/p.allow", "new/p.allow").stdout, "\n**gate: shut**\n\n- `forbid-l")
    write("new/p.allow", BASE)
    equal(allowc("diff", "old/p.allow", "new/p.allow").stdout.count("gate"), 0)
    equal("gate" in json.loads(allowc("diff", "--format", "json", "old/p.allow", "new/p.allow").stdout), False)


tap.main()
