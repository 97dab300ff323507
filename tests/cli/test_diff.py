#!/usr/bin/env python3
"""allowc diff: verdicts and changes, from pairs of small policies."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import allowc, contains, decided, equal, fails, passes, test  # noqa: E402

BASE = """policy p
decisions "adr"

allow git  adr 1  because "clones"
allow docker  adr 1  because "builds"
forbid strace  adr 1  because "tracing is the host's"
"""
NAMES = "`git`, `docker`, `docker buildx`, `dive`, `jq`, `strace`, `gdb`, `git push`, `CAP_SYS_PTRACE`, `ptrace`, `kcmp`"


def adr(number, status="Accepted", folder="adr", names=NAMES):
    Path(folder).mkdir(parents=True, exist_ok=True)
    Path(f"{folder}/{number:04}-tools.md").write_text(
        f"# {number:04}. Tools\n\nDate: 2026-05-0{number}\n\n## Status\n\n{status}\n\n## Decision\n\n{names}\n",
        encoding="utf-8")


def compare(old, new, *options, files=()):
    """Writes both beside the ADRs 1 and 2, and compares them."""
    for number in (1, 2):
        if not Path(f"adr/{number:04}-tools.md").exists():
            adr(number)
    for name, text in [("old.allow", old), ("new.allow", new), *files]:
        Path(name).write_text(text, encoding="utf-8")
    return decided(allowc("diff", *options, "old.allow", "new.allow"))


def says(old, new, wanted, code=1, files=()):
    done = compare(old, new, files=files)
    equal((done.stdout, done.stderr, done.returncode), (wanted, "", code))


GROUP = 'p/0001 "Tools"  accepted 2026-05-01\n'
GROUP2 = 'p/0002 "Tools"  accepted 2026-05-02\n'


# ---- what is no difference ----


@test
def the_same_text_is_equivalent():
    says(BASE, BASE, "old.allow -> new.allow   equivalent\n", code=0)


@test
def comments_and_layout_are_one_sentence():
    says(BASE, BASE.replace("allow git  ", "# the first\nallow   git "),
         "old.allow -> new.allow   equivalent\nno decision changed: layout and comments alone differ\n", code=0)


@test
def another_order_is_one_sentence():
    rows = BASE.splitlines(keepends=True)
    says(BASE, "".join(rows[:3] + rows[:2:-1]),
         "old.allow -> new.allow   equivalent\nno decision changed: rows stand in another order\n", code=0)


@test
def a_row_that_moved_to_another_layer_is_one_sentence():
    low = 'policy low\ndecisions "adr"\nallow git  adr 1  because "clones"\n'
    top = 'policy p\nextends {}\n\nallow jq  adr low/1  because "cuts"\n'
    moved = 'allow jq  adr 1  because "cuts"\n'
    says(top.format("low"), top.format("more").rsplit("\n", 2)[0] + "\n",
         "old.allow -> new.allow   equivalent\nno decision changed: jq moved old.allow:4 -> more.allow:4\n", code=0,
         files=[("low.allow", low), ("more.allow", low.replace("policy low", "policy low") + moved)])


# ---- rows ----


@test
def an_added_command_widens():
    says(BASE, BASE + 'allow dive  adr 2  because "looks"\n',
         f"old.allow -> new.allow   commands wider +1\n{GROUP2}  + allow  dive  new.allow:7\n")


@test
def a_removed_command_narrows_with_its_place_in_old():
    says(BASE + 'allow dive  adr 2  because "looks"\n', BASE,
         f"old.allow -> new.allow   commands narrower -1\n{GROUP2}  - allow  dive  old.allow:7\n")


@test
def one_more_and_one_less_are_incomparable():
    says(BASE + 'allow dive  adr 2  because "looks"\n', BASE + 'allow jq  adr 2  because "cuts"\n',
         "old.allow -> new.allow   commands incomparable +1 -1\n"
         f"{GROUP2}  + allow  jq    new.allow:7\n  - allow  dive  old.allow:7\n")


@test
def a_row_under_an_allowed_program_has_no_power_of_its_own():
    more = BASE + 'allow "docker buildx"  adr 2  because "more"\n'
    says(BASE, more, "old.allow -> new.allow   equivalent\n"
         f"{GROUP2}  + allow  docker buildx  new.allow:7  no new power: docker is allowed (new.allow:5)\n")
    says(more, BASE, "old.allow -> new.allow   equivalent\n"
         f"{GROUP2}  - allow  docker buildx  old.allow:7  no power of its own: docker is allowed (new.allow:5)\n")


@test
def a_longer_row_that_stays_keeps_its_command():
    """docker goes, docker buildx was and is allowed: one command less."""
    more = BASE + 'allow "docker buildx"  adr 2  because "more"\n'
    says(more, more.replace('allow docker  adr 1  because "builds"\n', ""),
         f"old.allow -> new.allow   commands narrower -1\n{GROUP}  - allow  docker  old.allow:5\n")


@test
def a_forbid_of_what_was_never_allowed_is_a_guard():
    less = BASE.replace('forbid strace  adr 1  because "tracing is the host\'s"\n', "")
    says(less, BASE, f"old.allow -> new.allow   guards +1\n{GROUP}  + forbid strace  new.allow:6  "
         "was unlisted; now guarded\n")
    says(BASE, less, f"old.allow -> new.allow   guards -1\n{GROUP}  - forbid strace  old.allow:6  "
         "now unlisted, and guarded no longer\n")


@test
def a_forbidden_part_of_an_allowed_program_narrows():
    more = BASE + 'forbid "git push"  adr 2  because "reads only"\n'
    says(BASE, more, "old.allow -> new.allow   commands narrower -1 · guards +1\n"
         f"{GROUP2}  + forbid git push  new.allow:7  before, git is allowed (old.allow:4)\n")
    says(more, BASE, "old.allow -> new.allow   commands wider +1 · guards -1\n"
         f"{GROUP2}  - forbid git push  old.allow:7  now git is allowed (new.allow:4)\n")


@test
def what_was_forbidden_is_allowed():
    turned = BASE.replace("forbid strace  adr 1", "allow strace  adr 2")
    says(BASE, turned, "old.allow -> new.allow   commands wider +1 · guards -1\n"
         f"{GROUP2}  + allow  strace  new.allow:6  was forbidden (old.allow:6), by p/0001\n")
    says(turned, BASE, "old.allow -> new.allow   commands narrower -1 · guards +1\n"
         f"{GROUP}  + forbid strace  new.allow:6  was allowed (old.allow:6), by p/0002\n")


@test
def a_revoke_belongs_to_its_own_adr():
    top = 'policy top\nextends p\ndecisions "adr"\n'
    says(top, top + 'revoke docker  adr 2  because "nobody builds"\n',
         'old.allow -> new.allow   commands narrower -1\n'
         'top/0002 "Tools"  accepted 2026-05-02\n  - allow  docker  p.allow:5  revoked (new.allow:4)\n',
         files=[("p.allow", BASE)])


@test
def a_decline_decides_nothing():
    says(BASE, BASE + 'decline jq  adr 2  because "later"\n',
         f"old.allow -> new.allow   equivalent\n{GROUP2}  + decline jq  new.allow:7  decides nothing\n")


@test
def attributes_are_changes_of_their_own():
    old = BASE + 'allow jq  adr 1  because "cuts"  until 2027-01-01\n'
    new = BASE + 'allow jq  adr 2  because "cuts fields"  on linux\n'
    says(old, new, "old.allow -> new.allow   commands narrower -1\n"
         f'{GROUP2}  ~ allow  jq  new.allow:7  cites p/0002, not p/0001\n'
         "  ~ allow  jq  new.allow:7  has no end; was until 2027-01-01\n"
         '  ~ allow  jq  new.allow:7  because "cuts fields"\n'
         "  ~ allow  jq  new.allow:7  'on' differs\n")


@test
def the_program_that_runs_is_shown():
    """By `as` or `path` it may be another than the one that the row names."""
    row = 'allow jq  adr 1  because "cuts"'
    says(BASE, BASE + row + '  as rm  path "/tmp/evil", "/bin/rm"\n', "old.allow -> new.allow   commands wider +1\n"
         f'{GROUP}  + allow  jq  new.allow:7  as rm; path "/tmp/evil", "/bin/rm"\n')
    says(BASE, BASE + 'allow "docker buildx"  adr 1  because "builds"  as rm\n', "old.allow -> new.allow   equivalent\n"
         f"{GROUP}  + allow  docker buildx  new.allow:7  no new power: docker is allowed (new.allow:5); as rm\n")
    says(BASE + row.replace("allow", "forbid") + "\n", BASE + row + '  path "/bin/rm"\n',
         "old.allow -> new.allow   commands wider +1 \u00b7 guards -1\n"
         f'{GROUP}  + allow  jq  new.allow:7  was forbidden (old.allow:7), by p/0001; path "/bin/rm"\n')
    for old, new, note in (
        ("as jq2", "as rm", "'as' differs; as rm, was jq2"),
        ("", "as rm", "'as' differs; as rm, was jq"),
        ('path "/usr/bin/jq"', 'path "/bin/rm"', """'path' differs; path "/bin/rm", was "/usr/bin/jq\""""),
        ('path "/usr/bin/jq", "/bin/jq"', "as rm",
         """'as', 'path' differ; as rm, was jq; path none, was "/usr/bin/jq", "/bin/jq\""""),
    ):
        contains(compare(BASE + f"{row}  {old}\n", BASE + f"{row}  {new}\n").stdout,
                 f"\n{GROUP}  ~ allow  jq  new.allow:7  {note}\n")


# ---- the kernel's side ----


@test
def a_forbidden_capability_narrows_two_axes():
    more = BASE + 'forbid CAP_SYS_PTRACE  adr 2  because "nobody traces"\n'
    calls = "kcmp pidfd_getfd process_madvise process_vm_{readv,writev} ptrace"
    says(BASE, more, "old.allow -> new.allow   system calls narrower -6 · capabilities narrower -1 · guards +1\n"
         f"{GROUP2}  + forbid CAP_SYS_PTRACE  new.allow:7  denies {calls}\n")
    says(more, BASE, "old.allow -> new.allow   system calls wider +6 · capabilities wider +1 · guards -1\n"
         f"{GROUP2}  - forbid CAP_SYS_PTRACE  old.allow:7  no longer denies {calls}\n")


@test
def needs_of_a_forbidden_command_deny_its_calls():
    more = BASE.replace("host's\"\n", "host's\"  needs syscall ptrace, kcmp\n")
    says(BASE, more, "old.allow -> new.allow   system calls narrower -2 · guards +2\n"
         f"{GROUP}  ~ forbid strace  new.allow:6  'needs' differs; may do less: kcmp ptrace\n")


@test
def an_errno_is_neither_more_nor_less_than_another():
    old = BASE + 'forbid syscall ptrace  adr 2  because "nobody traces"\n'
    says(old, old + "seccomp {\n    deny-with errno ENOSYS\n}\n",
         "old.allow -> new.allow   system calls incomparable +1 -1\n"
         "no ADR\n  ~ seccomp deny-with  errno ENOSYS, was errno EPERM\n")
    says(old, old + "seccomp {\n    deny-with kill\n}\n",
         "old.allow -> new.allow   system calls narrower -1\n"
         "no ADR\n  ~ seccomp deny-with  kill, was errno EPERM\n")


SOCKET = "forbid syscall socket{}  adr 2  because \"not here\"\n"


@test
def conditions_are_compared_by_their_fates():
    """Part of a call is less than all of it; two different parts are incomparable."""
    adr(2, names="`socket`, `socket(domain == AF_ALG)`, `socket(domain == AF_VSOCK)`")
    some, other, whole = (BASE + SOCKET.format(part) for part in ("(domain == AF_ALG)", "(domain == AF_VSOCK)", ""))
    for old, new, verdict in ((BASE, some, "narrower -1 · guards +1"), (some, BASE, "wider +1 · guards -1"),
                              (some, other, "incomparable +1 -1 · guards +1 -1"),
                              (some, whole, "narrower -1 · guards +1 -1")):
        equal(compare(old, new).stdout.splitlines()[0], f"old.allow -> new.allow   system calls {verdict}")
    contains(compare(BASE, some).stdout, "  + forbid syscall socket(domain == AF_ALG)  new.allow:7  denies some of socket\n")
    equal(compare(some, some).returncode, 0)


@test
def the_base_and_hot_calls_are_settings():
    allow = 'allow syscall write  adr 2  because "writes"\n'
    groups = "syscalls @few {\n    read\n}\nsyscalls @more {\n    read, close\n}\n"
    old = BASE + groups + allow + "seccomp {\n    base @few\n}\n"
    new = BASE + groups + allow + "seccomp {\n    base @more\n    hot read\n}\n"
    adr(2, names="`write`")
    equal(compare(old, new).stdout, "old.allow -> new.allow   system calls wider +1\nno ADR\n"
          "  ~ seccomp base  @more, was @few\n  ~ seccomp hot  read, was none\n")


@test
def an_abi_that_is_named_no_longer_kills():
    done = compare(BASE, BASE + "seccomp {\n    abi x86_64\n}\n")
    head = done.stdout.splitlines()
    contains(head[0], "system calls narrower -")
    equal(head[2], "  ~ seccomp abis  x86_64, was x86_64, i386, aarch64, arm")


# ---- guards and trust ----


@test
def a_lost_expectation_is_never_equivalent():
    says(BASE + "expect forbidden strace\n", BASE,
         "old.allow -> new.allow   expectations -1\nno ADR\n  - expect forbidden strace  old.allow:7\n")


@test
def an_expectation_that_lapses_is_lost():
    top = 'policy top\nextends p\ndecisions "adr"\n'
    done = compare(top, top + 'revoke strace  adr 2  because "traced again"\n',
                   files=[("p.allow", BASE + "expect forbidden strace\n")])
    equal(done.stdout.splitlines()[0], "old.allow -> new.allow   guards -1 · expectations -1")


@test
def where_adrs_are_and_what_accepts_is_trust():
    adr(1, folder="other")
    adr(2, folder="other")
    old = BASE.replace('"adr"', '"adr" accept "Agreed"')
    new = BASE.replace('"adr"', '"other" accept "Draft"')
    says(old, new, "old.allow -> new.allow   equivalent · trust changed\nno ADR\n"
         '  ~ decisions p  new.allow:2  the folder is "other", was "adr"\n'
         '  + decisions p  new.allow:2  accept "Draft"\n'
         '  - decisions p  old.allow:2  accept "Agreed"\n')


@test
def what_a_pattern_accepts_is_trust_for_each_of_its_folders():
    adr(1, folder="all/p")
    adr(2, folder="all/p")
    Path("all/q").mkdir()
    old = BASE.replace('"adr"', '"all/*"')
    says(old, old.replace('"all/*"', '"all/*" accept "Draft"'), "old.allow -> new.allow   equivalent · trust changed\n"
         'no ADR\n  + decisions p  new.allow:2  accept "Draft"\n  + decisions q  new.allow:2  accept "Draft"\n')


@test
def a_manifest_is_not_read():
    """A folder stands in its place: compiling minds, comparing does not."""
    adr(1)
    adr(2)
    Path("p.allow").write_text(BASE + 'plugin x "manifest" {\n    tools git\n}\n', encoding="utf-8")
    Path("manifest").mkdir()
    said = fails(1, "check", "p.allow")
    equal(said.splitlines()[0], "p.allow:7:10: error: the manifest 'manifest' is a folder [manifest]")
    equal(passes("diff", "p.allow", "p.allow").stdout, "p.allow -> p.allow   equivalent\n")


@test
def a_title_is_a_change():
    says(BASE, BASE.replace("policy p\n", 'policy p\ntitle "All"\n'),
         "old.allow -> new.allow   equivalent\nno ADR\n  ~ title  All\n")


@test
def another_name_is_a_change_and_moves_no_row():
    """Every artifact has it. Rows that stand in the same layer, renamed or not, have not moved."""
    new = BASE.replace("policy p\n", "policy evil\n").replace("decisions", "decisions p").replace("adr 1", "adr p/1")
    says(BASE, new, "p -> evil   equivalent\nno ADR\n  ~ policy evil  was p\n")
    rows = new.splitlines(keepends=True)
    says(BASE, "".join(rows[:3] + rows[:2:-1]), "p -> evil   equivalent\nno ADR\n  ~ policy evil  was p\n"
         "no decision changed: rows stand in another order\n")


@test
def the_next_phase_has_a_name_of_its_own_where_it_has_a_file_of_its_own():
    """A file that gets another name and extends what it was, moved below, is renamed none the less."""
    top = 'policy q\nextends {}\n'
    Path("before").mkdir()
    Path("before/p.allow").write_text(BASE.replace('"adr"', '"../adr"'), encoding="utf-8")
    Path("next.allow").write_text(top.format('"before/p.allow"'), encoding="utf-8")
    Path("p.allow").write_text(top.format('"before/p.allow"'), encoding="utf-8")
    adr(1)
    equal(allowc("diff", "before/p.allow", "next.allow").stdout.splitlines()[:2],
          ["p -> q   equivalent", "no decision changed: the layers are others, or have other names"])
    equal(allowc("diff", "before/p.allow", "p.allow").stdout.splitlines()[:3],
          ["p -> q   equivalent", "no ADR", "  ~ policy q  was p"])


@test
def a_layer_below_with_another_name_is_neither_layout_nor_a_move():
    low = 'policy {}\ndecisions low "adr"\nallow git  adr low/1  because "clones"\n'
    top = "policy p\nextends {}\n"
    Path("a").mkdir()
    Path("b").mkdir()
    says(top.format('"a/low.allow"'), top.format('"b/low.allow"'), "old.allow -> new.allow   equivalent\n"
         "no decision changed: the layers are others, or have other names\n", code=0,
         files=[("a/low.allow", low.format("low").replace('"adr"', '"../adr"')),
                ("b/low.allow", low.format("base").replace('"adr"', '"../adr"'))])


@test
def an_output_is_a_change():
    def line(sign, text, place):
        return f"  {sign} output {text}  {place}\n"

    some, other = BASE + 'output python "p.py"\n', BASE + 'output python "../../evil.py"\n'
    region = BASE + 'output markdown "a.md" region {}\n'
    head = "old.allow -> new.allow   equivalent\nno ADR\n"
    says(BASE, some, head + line("+", 'python "p.py"', "new.allow:7"))
    says(some, BASE, head + line("-", 'python "p.py"', "old.allow:7"))
    says(some, other, head + line("+", 'python "../../evil.py"', "new.allow:7")
         + line("-", 'python "p.py"         ', "old.allow:7"))
    says(some, some.replace("python", "header"), head + line("+", 'header "p.py"', "new.allow:7")
         + line("-", 'python "p.py"', "old.allow:7"))
    says(region.format("x"), region.format("y"), head + line("+", 'markdown "a.md" region y', "new.allow:7")
         + line("-", 'markdown "a.md" region x', "old.allow:7"))
    says(some, some.replace("output ", "# the module\noutput   "),
         "old.allow -> new.allow   equivalent\nno decision changed: layout and comments alone differ\n", code=0)


# ---- roles and plugins ----


@test
def roles_narrow_for_themselves():
    role = BASE + 'role probe {\n    forbid docker  adr 2  because "builds nothing"\n}\n'
    says(BASE, role, "old.allow -> new.allow   commands narrower -1 (role probe)\n"
         f"{GROUP2}  - docker  new.allow:8  role probe\n")
    says(role, BASE, "old.allow -> new.allow   commands wider +1 (role probe)\n"
         f"{GROUP2}  + docker  old.allow:8  role probe\n")


@test
def the_verdict_names_six_roles():
    """The changes below name each; the verdict is one line."""
    def narrowed(count):
        roles = (f'role at-{letter}{letter} {{\n    forbid docker  adr 2  because "no"\n}}\n'
                 for letter in "abcdefgh"[:count])
        return compare(BASE, BASE + "".join(roles)).stdout.splitlines()[0]

    names = "role at-aa, role at-bb, role at-cc, role at-dd, role at-ee, role at-ff"
    equal(narrowed(6), f"old.allow -> new.allow   commands narrower -6 ({names})")
    equal(narrowed(8), f"old.allow -> new.allow   commands narrower -8 ({names} and 2 more)")


@test
def a_row_of_a_role_that_turns_nothing_says_so():
    role = BASE + 'role probe {\n    forbid gdb  adr 2  because "no"\n}\n'
    says(BASE, role, "old.allow -> new.allow   guards +1\n"
         f"{GROUP2}  + forbid gdb  new.allow:8  role probe; no power of its own\n")
    says(role, BASE, "old.allow -> new.allow   guards -1\n"
         f"{GROUP2}  - forbid gdb  old.allow:8  role probe; no power of its own\n")


DENIED = BASE + 'forbid CAP_SYS_PTRACE  adr 1  because "no"\nsyscalls @g { ptrace, kcmp }\n'


@test
def a_group_or_needs_that_deny_less_lose_a_guard_even_where_another_row_denies_the_same():
    group = DENIED + 'forbid syscall @g  adr 1  because "no"\n'
    says(group, group.replace("{ ptrace, kcmp }", "{ ptrace }"), "old.allow -> new.allow   guards -1\n"
         f"{GROUP}  ~ forbid syscall @g  new.allow:9  its group differs\n")
    needs = DENIED + 'forbid gdb  adr 1  because "no" {\n    needs syscall ptrace, kcmp\n}\n'
    says(needs, needs.replace("syscall ptrace, kcmp", "syscall kcmp"), "old.allow -> new.allow   guards -1\n"
         f"{GROUP}  ~ forbid gdb  new.allow:9  'needs' differs\n")
    windows = 'forbid syscall ptrace  adr 1  because "no"  on {}\n'
    says(DENIED + windows.format("linux"), DENIED + windows.format("windows"), "old.allow -> new.allow   guards -1\n"
         f"{GROUP}  ~ forbid syscall ptrace  new.allow:9  'on' differs\n")


@test
def a_row_on_lesser_terms_is_never_equivalent():
    """Of a command's forbid row: where it holds, on which paths, how long; of an allow row its terms."""
    def one(old, new, verdict, what, row="forbid gdb"):
        text = BASE + '{}  adr 1  because "no"  {}\n'
        says(text.format(row, old), text.format(row, new), f"old.allow -> new.allow   {verdict}\n"
             f"{GROUP}  ~ {row.replace('allow ', 'allow  ')}  new.allow:7  {what}\n")

    one("", "on macos", "guards -1", "'on' differs")
    one('path "/bin/gdb", "/usr/bin/gdb"', 'path "/bin/gdb"', "guards -1",
        "'path' differs; path \"/bin/gdb\", was \"/bin/gdb\", \"/usr/bin/gdb\"")
    one("", "until 2026-01-01", "guards -1", "until 2026-01-01; had no end")
    one("until 2026-01-01", "until 2026-01-02", "guards +1", "until 2026-01-02, was 2026-01-01")
    one("on linux", "", "commands wider +1", "'on' differs", row="allow jq")
    one("requires git >= 2", "requires git >= 1", "commands incomparable +1 -1", "'requires' differs", row="allow jq")
    role = BASE + 'role probe {{\n    forbid docker  adr 1  because "no"  {}\n    allow git  adr 1  because "yes"  {}\n}}\n'
    says(role.format("", "on linux"), role.format("on linux", ""),
         "old.allow -> new.allow   commands wider +1 (role probe) · guards -1\n"
         f"{GROUP}  ~ forbid docker  new.allow:8  'on' differs\n  ~ allow  git     new.allow:9  'on' differs\n")


@test
def a_row_about_a_call_or_a_capability_that_is_denied_already_is_a_guard_alone():
    call = DENIED + 'forbid syscall kcmp  adr 1  because "no"\n'
    says(DENIED, call, "old.allow -> new.allow   guards +1\n"
         f"{GROUP}  + forbid syscall kcmp  new.allow:9  no new power: no system call's fate differs\n")
    says(call, DENIED, "old.allow -> new.allow   guards -1\n"
         f"{GROUP}  - forbid syscall kcmp  old.allow:9  no system call's fate differs\n")
    calls = BASE + "".join(f'forbid syscall {call}  adr 1  because "no"\n' for call in (
        "kcmp", "pidfd_getfd", "process_madvise", "process_vm_readv", "process_vm_writev", "ptrace"))
    done = compare(calls + 'forbid CAP_SYS_PTRACE  adr 1  because "no"\n', calls)
    equal(done.stdout, "old.allow -> new.allow   capabilities wider +1 · guards -1\n"
          f"{GROUP}  - forbid CAP_SYS_PTRACE  old.allow:13  no system call's fate differs\n")


@test
def what_layers_take_a_role_loses_too_and_it_counts_once():
    role = 'role probe {\n    forbid git  adr 1  because "no"\n}\n'
    says(BASE + role, BASE.replace('allow docker  adr 1  because "builds"\n', "") + role,
         f"old.allow -> new.allow   commands narrower -1\n{GROUP}  - allow  docker  old.allow:5\n")


@test
def tools_of_plugins():
    old = BASE + "plugin a {\n    tools git\n}\n"
    says(old, old.replace("tools git", "tools docker, git"), f"old.allow -> new.allow   equivalent\n{GROUP}"
         "  + tools  a: docker\n")
    says(old.replace("git\n}", "git, docker\n}"), old.replace("git\n}", "docker, git\n}"),
         f"old.allow -> new.allow   equivalent\n{GROUP}  ~ tools  a: in another order\n")
    says(old, BASE, f"old.allow -> new.allow   equivalent\n{GROUP}  - tools  a: git\n")


# ---- trouble, and what is compared all the same ----


@test
def a_side_that_adrs_reject_is_compared():
    adr(2, status="Proposed")
    done = compare(BASE, BASE + 'allow dive  adr 2  because "looks"\n')
    equal(done.stdout, "old.allow -> new.allow   commands wider +1\n"
          'p/0002 "Tools"  proposed 2026-05-02\n  + allow  dive  new.allow:7\n')
    contains(done.stderr, "new.allow:7:17: error: ADR p/0002 is proposed, not accepted [adr-status]")
    equal(done.returncode, 1)


@test
def two_equal_sides_that_adrs_reject_exit_1():
    adr(1, status="Proposed")
    done = compare(BASE, BASE)
    equal((done.returncode, done.stdout), (1, "old.allow -> new.allow   equivalent\n"))


@test
def a_side_that_does_not_resolve_is_trouble_and_nothing_is_compared():
    for old, new in ((BASE + "alow x\n", BASE), (BASE, BASE + "alow x\n"), (BASE + "expect allowed jq\n", BASE)):
        done = compare(old, new)
        equal((done.returncode, done.stdout), (2, ""))
        contains(done.stderr, ".allow:7:")
    equal(fails(2, "diff", "old.allow", "missing.allow"),
          "old.allow:7:16: error: 'jq' is unlisted, but expected to be allowed [expect]\n"
          "    7 | expect allowed jq\n      |                ^~\n"
          "old.allow:7:16: help: mend the rows, or change the expectation by the ADR that decided otherwise\n"
          "allowc: cannot read 'missing.allow': No such file or directory\n")


@test
def standard_input_is_a_side():
    compare(BASE, BASE)
    equal(allowc("diff", "old.allow", "-", input=BASE).stdout, "old.allow -> -   equivalent\n")


@test
def usage():
    for arguments, told in (
        ((), "two policies are compared: OLD NEW, or --base REV POLICY"),
        (("a",), "two policies are compared: OLD NEW, or --base REV POLICY"),
        (("a", "b", "c"), "two policies are compared: OLD NEW, or --base REV POLICY"),
        (("--base", "x", "a", "b"), "--base names OLD, so NEW alone is named: --base REV POLICY"),
        (("--base", "", "a"), "--base: the name of the revision is empty"),
        (("--list-classes", "a"), "--list-classes compares nothing, so no policy is named"),
        (("--format", "jsn", "a", "b"), "--format cannot be 'jsn'; did you mean 'json'?"),
        (("-", "-"), "standard input ('-') can be read only once"),
    ):
        equal(fails(2, "diff", *arguments), f"allowc: {told}\nTry 'allowc diff --help'.\n")


# ---- forms ----

MANY = BASE + 'allow dive  adr 2  because "looks"\nforbid gdb  adr 2  because "no"\nexpect forbidden gdb\n'


@test
def classes_are_listed_with_the_ids_of_the_contract():
    ids = [line.split()[0] for line in passes("diff", "--list-classes").stdout.splitlines()]
    contract = ("allow-added allow-removed forbid-added forbid-removed forbid-to-allow allow-to-forbid declined "
                "scope-widened scope-narrowed seccomp-setting plugin-tool-added plugin-tool-removed adr-changed "
                "adr-status-changed guard-removed trust-changed reason-changed format-only").split()
    equal([name for name in contract if name not in ids], [])
    equal(len(ids), len(set(ids)))


@test
def stats_are_counts():
    equal(compare(BASE, MANY, "--stats").stdout, """\
old.allow -> new.allow   commands wider +1 · guards +1 · expectations +1
       1 allow-added
       1 forbid-added
       1 guard-added
unchanged: 3 rows, 0 tools, 0 expectations, 2 ADRs
""")


@test
def by_effect():
    equal(compare(BASE, MANY, "--by", "effect").stdout, """\
old.allow -> new.allow   commands wider +1 · guards +1 · expectations +1
allows more
  + allow  dive           new.allow:7
guards
  + forbid gdb            new.allow:8  was unlisted; now guarded
  + expect forbidden gdb  new.allow:9
""")


@test
def markdown_opens_with_its_marker():
    equal(compare(BASE, MANY, "--format", "markdown").stdout, """\
<!-- allowc diff -->
**old\\.allow \\-\\> new\\.allow**: commands wider \\+1 · guards \\+1 · expectations \\+1

**p/0002 "Tools"  accepted 2026\\-05\\-02**

- `+` allow `dive` new\\.allow\\:7
- `+` forbid `gdb` new\\.allow\\:8 — was unlisted; now guarded

**no ADR**

- `+` expect `forbidden gdb` new\\.allow\\:9

Unchanged: 3 rows, 0 tools, 0 expectations, 2 ADRs.
""")


@test
def markdown_says_what_it_left_out():
    rows = "".join(f'allow tool-{i}  adr 2  because "{"x" * 40}"\n' for i in range(3000))
    text = compare(BASE, BASE + rows, "--format", "markdown").stdout
    shown = text.count("- `+` allow")
    equal(len(text.encode()) < 60000, True)
    contains(text, f"\n{3000 - shown} changes are left out: `allowc diff` shows all.\n")


@test
def hostile_titles_do_not_leave_their_place():
    adr(2, names="`dive`")
    path = Path("adr/0002-tools.md")
    path.write_text(path.read_text(encoding="utf-8").replace("Tools", "A\x1b[31m **b** <!-- c"), encoding="utf-8")
    text = compare(BASE, BASE + 'allow dive  adr 2  because "looks"\n').stdout
    equal("\x1b" in text, False)
    marked = compare(BASE, BASE + 'allow dive  adr 2  because "looks"\n', "--format", "markdown").stdout
    equal((marked.count("<!--"), "\x1b" in marked, "\\*\\*b\\*\\*" in marked), (1, False, True))


@test
def json_fits_its_schema():
    """And names the classes that --list-classes prints."""
    import jsonschema  # pylint: disable=import-outside-toplevel

    schema = json.loads((suite.ROOT / "packaging/schema/diff.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    ids = [line.split()[0] for line in passes("diff", "--list-classes").stdout.splitlines()]
    equal(schema["$defs"]["change"]["properties"]["class"]["enum"], ids)
    role = MANY + 'role probe {\n    forbid docker  adr 2  because "no"\n}\nplugin a {\n    tools git\n}\n'
    for old, new in ((BASE, MANY), (MANY, BASE), (BASE, BASE), (BASE, role), (role, BASE)):
        for options in ((), ("--stats",)):
            done = compare(old, new, "--format", "json", *options)
            jsonschema.Draft202012Validator(schema).validate(json.loads(done.stdout))
    data = json.loads(compare(BASE, MANY, "--format", "json").stdout)
    equal(data["verdict"]["commands"], {"relation": "wider", "more": 1, "less": 0})
    equal(data["verdict"]["equivalent"], False)
    equal(data["changes"][0], {
        "class": "allow-added", "sign": "added", "statement": "allow", "subject": "dive", "adr": "p/0002",
        "side": "new", "layer": "p", "file": "new.allow", "line": 7})


tap.main()
