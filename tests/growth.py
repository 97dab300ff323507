"""Projects of any size, each large in one way: what tests/large/test_growth.py counts and tests/bench/growth.py times.

A case is a function of n that gives files by their paths, and the words after `allowc`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Callable

Case = tuple[dict[str, str], list[str]]
CASES: dict[str, Callable[[int], Case]] = {}

QUIET = ["-q", "-Wno-adr-unchecked", "-Wno-reason", "-Wno-incomplete-group"]
CHECK = ["check", *QUIET, "p.allow"]
CHECK_ALL = ["check", "--max-errors", "1000000", *QUIET, "p.allow"]
WHY = 'adr 1  because "x"'
ACCEPTED = "# 1. Tools\n\nStatus: accepted\n\n"


def case(function: Callable[[int], Case]) -> Callable[[int], Case]:
    """Its docstring, or its name, is what is printed."""
    CASES[(function.__doc__ or function.__name__.replace("_", " ")).strip().rstrip(".")] = function
    return function


# They look for the nearest of n names n times, until ten million were looked at: squares of a small n.
SEARCHES: set[str] = set()


def searches(function: Callable[[int], Case]) -> Callable[[int], Case]:
    case(function)
    SEARCHES.add(list(CASES)[-1])
    return function


# They end with 1, where a mistake or a difference is found, and all others with 0: with another status it is another
# case than was meant.
FAILING: set[str] = set()


def fails(function: Callable[[int], Case]) -> Callable[[int], Case]:
    """Stands above @case or @searches."""
    FAILING.add(list(CASES)[-1])
    return function


def write(files: dict[str, str], folder: Path) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8", errors="surrogateescape")


def lines(n: int, form: str) -> str:
    """`form` once for each number: # stands for it, $ for the number before (of 0: the last)."""
    return "".join(form.replace("#", str(i)).replace("$", str((i - 1) % n)) + "\n" for i in range(n))


def words(n: int, form: str) -> str:
    """A list, each name on a line of its own."""
    return ",\n".join(form.replace("#", str(i)) for i in range(n))


def policy(text: str, words_: list[str] | None = None, **files: str) -> Case:
    return {"p.allow": f"policy p\n{text}", **files}, words_ or CHECK


def allows(n: int, name: str = "c#") -> str:
    return lines(n, f"allow {name}  {WHY}")


def above(lower: str, upper: str, words_: list[str] | None = None) -> Case:
    return {"low.allow": f"policy low\n{lower}", "p.allow": f"policy p\nextends low\n{upper}"}, words_ or CHECK


def with_adr(rows: str, text: str, words_: list[str] | None = None) -> Case:
    return {"p.allow": f'policy p\ndecisions "adr"\n{rows}', "adr/1-x.md": ACCEPTED + text}, words_ or CHECK


def pair(old: str, now: str, *options: str, command: str = "diff") -> Case:
    return {"a.allow": f"policy p\n{old}", "b.allow": f"policy p\n{now}"}, [command, *options, "a.allow", "b.allow"]


# ---- the text ----


@case
def rows(n: int) -> Case:
    return policy(allows(n))


@fails
@case
def rows_of_one_command(n: int) -> Case:
    return policy(f"allow git  {WHY}\n" * n, CHECK_ALL)


@fails
@case
def one_attribute_again_and_again(n: int) -> Case:
    return policy("allow git  adr 1" + ' because "x"' * n + "\n", CHECK_ALL)


@fails
@case
def misspelt_lines(n: int) -> Case:
    return policy(f"alow git  {WHY}\n" * n, CHECK_ALL)


@fails
@case
def misspelt_statements_of_one_line(n: int) -> Case:
    return policy("; ".join(["alow git"] * n) + "\n", CHECK_ALL)


@fails
@case
def bytes_of_one_line_that_are_no_utf_8(n: int) -> Case:
    return policy("# " + "\udcff" * n + "\n", CHECK_ALL)


@case
def comments(n: int) -> Case:
    return policy("# a comment\n" * n + f"allow git  {WHY}\n")


@fails
@case
def comments_in_a_list_and_a_block_laid_out(n: int) -> Case:
    text = "allow git,\n" + "# one\n" * n + "jq  adr 1 {\n" + "# two\n" * n + 'because "x"\n}\n'
    return policy(text, ["fmt", "--check", "p.allow"])


@fails
@case
def rows_laid_out(n: int) -> Case:
    return policy(lines(n, f"allow   c#  {WHY}"), ["fmt", "--check", "p.allow"])


@fails
@case
def open_braces(n: int) -> Case:
    return policy("role r {\n" * n, CHECK_ALL)


@fails
@case
def open_strings(n: int) -> Case:
    return policy('allow git  adr 1  because "x\n' * n, CHECK_ALL)


# ---- groups and calls ----


@case
def groups_in_a_chain(n: int) -> Case:
    chain = "".join(f"syscalls @g{i} {{\n    {f'@g{i - 1}' if i % 60 else 'kcmp'}\n}}\n" for i in range(n))
    return policy(chain)


@case
def groups_in_one_group(n: int) -> Case:
    return policy(lines(n, "syscalls @g# { kcmp }") + "syscalls @all {\n" + words(n, "@g#") + "\n}\n")


@fails
@searches
def groups_that_nobody_defined(n: int) -> Case:
    return policy(lines(n, "syscalls @g# { kcmp }") + lines(n, f"forbid syscall @h#  {WHY}"), CHECK_ALL)


@fails
@case
def misspelt_calls(n: int) -> Case:
    return policy(lines(n, f"forbid syscall ptrac#  {WHY}"), CHECK_ALL)


@case
def programs_that_need_one_capability(n: int) -> Case:
    return policy(lines(n, f"forbid c#  {WHY}  needs CAP_SYS_PTRACE"))


@case
def programs_that_need_one_call_by_argument(n: int) -> Case:
    return policy("".join(f"forbid c{i}  {WHY}  needs syscall kill(pid == {i % 10})\n" for i in range(n)))


# ---- names that are near ----


@fails
@searches
def tools_that_are_not_allowed(n: int) -> Case:
    return policy(allows(n) + "plugin x {\n    tools " + words(n, "d#") + "\n}\n", CHECK_ALL)


@fails
@searches
def required_commands_that_are_not_allowed(n: int) -> Case:
    return policy(lines(n, f"allow c#  {WHY}  requires d#"), CHECK_ALL)


@fails
@case
def expected_commands_that_are_unlisted(n: int) -> Case:
    return policy(allows(n) + lines(n, "expect allowed d#"), CHECK_ALL)


@fails
@searches
def revoked_commands_that_no_layer_has(n: int) -> Case:
    return above(allows(n), lines(n, f"revoke d#  {WHY}"), CHECK_ALL)


@fails
@searches
def scopes_that_are_not_defined(n: int) -> Case:
    files, words_ = with_adr(lines(n, 'decisions s# "adr"') + lines(n, 'allow c#  adr t#/1  because "x"'), "`c0`\n")
    return files, ["check", "--max-errors", "1000000", *QUIET, *words_[-1:]]


@case
def scopes_that_rows_spell_otherwise(n: int) -> Case:
    rows = lines(n, 'decisions p# "adr"') + lines(n, 'allow c#  adr "phase-#/1"  because "x"')
    return with_adr(rows, "", ["check", *QUIET, "-Wno-adr-silent", "p.allow"])


@fails
@case
def rows_whose_scope_may_be_any(n: int) -> Case:
    rows = lines(n, 'decisions 2-a# "adr"') + lines(n, 'allow c#  adr "02/#"  because "x"')
    return with_adr(rows, "", CHECK_ALL)


@case
def spellings_near_other_commands(n: int) -> Case:
    return policy(lines(n, f"allow c#x  {WHY}  as d#x"), CHECK_ALL)


# ---- layers, roles, plugins, expectations ----


@case
def revokes(n: int) -> Case:
    return above(allows(n), lines(n, f"revoke c#  {WHY}"))


@fails
@case
def conflicts(n: int) -> Case:
    return above(lines(n, f"forbid c#  {WHY}"), allows(n), CHECK_ALL)


@case
def layers(n: int) -> Case:
    files = {}
    for layer in range(64):
        below = f"extends l{layer + 1}\n" if layer < 63 else ""
        files[f"l{layer}.allow"] = f"policy l{layer}\n{below}" + allows(n // 64 + 1, f"c{layer}x#")
    return files, ["check", *QUIET, "l0.allow"]


@case
def roles(n: int) -> Case:
    return policy(f"allow git  {WHY}\n" + lines(n, f"role r# {{ forbid git  {WHY} }}"),
                  [*QUIET, "-o", "out", "--emit", "c-header,python,json", "p.allow"])


@case
def rows_of_a_role(n: int) -> Case:
    return policy(f"allow git  {WHY}\nrole r {{\n" + lines(n, f'forbid "git c#"  {WHY}') + "}\n", CHECK_ALL)


@case
def plugins(n: int) -> Case:
    return policy(f"allow git  {WHY}\n" + lines(n, "plugin p# { tools git }"),
                  [*QUIET, "-n", "-o", "out", "--emit", "plugin-yaml,python,json", "p.allow"])


@case
def expectations(n: int) -> Case:
    return policy(allows(n) + lines(n, "expect allowed c#"))


@case
def expectations_of_what_adrs_add(n: int) -> Case:
    return policy(lines(n, 'allow c#  adr 1#  because "x"') + lines(n, "expect adr 1# adds c#"))


@fails
@case
def expectations_of_what_one_adr_adds(n: int) -> Case:
    return policy(allows(n) + lines(n, "expect adr 1 adds c#"), CHECK_ALL)


@case
def sub_commands_under_a_launcher(n: int) -> Case:
    return policy(f"allow docker  {WHY}\n" + lines(n, f'allow "docker x#"  {WHY}'),
                  ["check", "--max-errors", "1000000", "-Wlauncher", "-Wcovered", *QUIET, "p.allow"])


# ---- ADRs ----


@case
def adrs(n: int) -> Case:
    files = {f"adr/{i:06}-x.md": f"{ACCEPTED}`c{i}`\n" for i in range(n)}
    return {"p.allow": 'policy p\ndecisions "adr"\n' + lines(n, 'allow c#  adr #  because "x"'), **files}, CHECK


@fails
@searches
def adrs_that_are_not_there(n: int) -> Case:
    files = {f"adr/{i:06}-x.md": ACCEPTED for i in range(n)}
    rows_ = lines(n, 'allow c#  adr 5#  because "x"')
    return {"p.allow": f'policy p\ndecisions "adr"\n{rows_}', **files}, CHECK_ALL


@case
def code_spans_of_one_adr(n: int) -> Case:
    return with_adr(allows(n), lines(n, "`c#`"))


@searches
def code_spans_that_name_nothing(n: int) -> Case:
    return with_adr(allows(n), lines(n, "`d#`"), CHECK_ALL)


@fails
@case
def rows_in_the_fence_of_an_adr(n: int) -> Case:
    return with_adr(allows(n), "```allow\n" + lines(n, "allow d#") + "```\n", CHECK_ALL)


@case
def markup_that_never_ends(n: int) -> Case:
    return with_adr(f"allow git  {WHY}\n", "[" * n + "*_" * n + "<!--" * n + " ".join("`" * (1 + i % 99) for i in range(n)))


@case
def an_adr_that_supersedes_many(n: int) -> Case:
    return with_adr(f"allow git  {WHY}\n", "`git`\n\nSupersedes: " + ", ".join(f"ADR-{i:04}" for i in range(n)) + "\n")


# ---- artifacts ----


@case
def rows_in_every_artifact(n: int) -> Case:
    return policy(allows(n), [*QUIET, "-Wno-oci-replaces-default", "-o", "out", "--emit", "all", "p.allow"])


@case
def items_of_a_manifest(n: int) -> Case:
    rows_ = f"allow {words(n, 'c#')}  {WHY}\nplugin x \"plugin.yaml\" {{\n    tools {words(n, 'c#')}\n}}\n"
    text = "name: x\nrequirements:\n  external_tools:\n" + "".join(f"    # why\n    - d{i}\n" for i in range(n))
    return policy(rows_, [*QUIET, "-Wno-plugin-comment", "-o", "out", "--emit", "plugin-yaml", "p.allow"],
                  **{"plugin.yaml": text})


@case
def policies_into_one_folder(n: int) -> Case:
    files = {f"p{i}.allow": f"policy p{i}\nallow git  {WHY}\n" for i in range(n)}
    return files, [*QUIET, "-n", "-o", "out", "--emit", "names", *files]


@case
def outputs_in_place(n: int) -> Case:
    return policy(f"allow git  {WHY}\n" + lines(n, 'output names "o#"'), ["sync", "-n", *QUIET, "p.allow"])


# ---- comparisons and questions ----


@fails
@case
def rows_that_differ(n: int) -> Case:
    return pair(allows(n), allows(n, "d#"))


@fails
@case
def rows_that_differ_in_their_reasons(n: int) -> Case:
    return pair(allows(n), lines(n, 'allow c#  adr 1  because "y"'), "--format", "json")


def backwards(n: int, form: str) -> str:
    return ",\n".join(form.replace("#", str(i)) for i in reversed(range(n)))


@fails
@case
def adrs_of_a_row_in_another_order(n: int) -> Case:
    return pair(*(f'allow git  adr {list_}  because "x"\n' for list_ in (words(n, "#"), backwards(n, "#"))))


@fails
@case
def paths_of_a_row_in_another_order(n: int) -> Case:
    return pair(*(f"allow git  {WHY}  path {list_}\n" for list_ in (words(n, '"/c#"'), backwards(n, '"/c#"'))))


@fails
@case
def requirements_of_a_row_in_another_order(n: int) -> Case:
    return pair(*(f"{allows(n)}allow git  {WHY}  requires {list_}\n" for list_ in (words(n, "c#"), backwards(n, "c#"))))


@fails
@case
def roles_that_come_and_go(n: int) -> Case:
    return pair(f"allow git  {WHY}\n" + lines(n, f"role r# {{ forbid git  {WHY} }}"),
                f"allow git  {WHY}\n" + lines(n, f"role s# {{ forbid git  {WHY} }}"))


@fails
@case
def roles_that_differ_each_in_a_command_of_its_own(n: int) -> Case:
    return pair(allows(n) + lines(n, f"role r# {{ forbid c#  {WHY} }}"),
                allows(n) + lines(n, f"role r# {{ forbid c$  {WHY} }}"))


@fails
@case
def plugins_that_come_and_go(n: int) -> Case:
    return pair(f"allow git  {WHY}\n" + lines(n, "plugin p# { tools git }"),
                f"allow git  {WHY}\n" + lines(n, "plugin q# { tools git }"))


def accepting(n: int, command: str) -> Case:
    """As many words in each scope as one may have: half of them the other side has not, half in another order."""
    scopes = [[f'decisions s{i} "adr" accept {list_}\n'
               for list_ in (words(48, f'"{i}w#", "{i}x#"'), backwards(48, f'"{i}w#", "{i}y#"'))] for i in range(n // 48)]
    files, words_ = pair(*("".join(side) for side in zip(*scopes)), command=command)
    return {**files, "adr/1-x.md": ACCEPTED}, words_


@fails
@case
def words_for_accepted_compared(n: int) -> Case:
    return accepting(n, "diff")


@fails
@case
def words_for_accepted_before_the_gate(n: int) -> Case:
    return accepting(n, "gate")


@case
def folders_that_match_a_pattern_before_the_gate(n: int) -> Case:
    text = "policy p\n" + lines(n, 'decisions s# "adr"') + 'decisions "more/*"\n'
    files = {f"{side}/{path}": ACCEPTED for side in ("old", "new") for path in ("adr/1-x.md", "more/p/1-x.md")}
    files |= {f"new/more/p{i}/1-x.md": ACCEPTED for i in range(n)}
    return {"old/p.allow": text, "new/p.allow": text, **files}, ["gate", "old/p.allow", "new/p.allow"]


@fails
@case
def scopes_whose_rows_all_differ(n: int) -> Case:
    scopes = lines(n, 'decisions s# "adr"')
    files, words_ = pair(*(scopes + lines(n, f'allow {name}#  adr s#/1  because "x"') for name in "cd"))
    return {**files, "adr/1-x.md": ACCEPTED}, words_


@fails
@case
def widenings_before_the_gate(n: int) -> Case:
    return pair("", allows(n), command="gate")


@case
def rows_behind_a_capability_explained(n: int) -> Case:
    return policy(lines(n, f"forbid c#  {WHY}  needs CAP_SYS_PTRACE"), ["explain", "p.allow", "CAP_SYS_PTRACE"])


@case
def an_unlisted_command_explained(n: int) -> Case:
    return policy(allows(n), ["explain", "p.allow", "d1"])


# ---- import ----


def imported(name: str, text: str, *options: str) -> Case:
    return {name: text}, ["import", "--max-errors", "1000000", *options, name]


@case
def names_imported(n: int) -> Case:
    return imported("tools.names", "".join(f"c{i}  # what it is for\n" for i in range(n)))


@case
def one_name_imported_again_and_again(n: int) -> Case:
    return imported("tools.names", "git\n" * n)


@case
def headings_of_a_python_set(n: int) -> Case:
    items = "".join(f'    # Phase {i}\n    "c{i}",  # what it is for\n' for i in range(n))
    return imported("tools.py", f"TOOLS = {{\n{items}}}\n")


@case
def lines_of_a_heading_of_a_python_set(n: int) -> Case:
    heading = "".join(f"    # Phase {i}\n" for i in range(n))
    return imported("tools.py", f'TOOLS = {{\n{heading}    "git",\n}}\n')


@case
def uses_of_a_python_set(n: int) -> Case:
    return imported("tools.py", 'TOOLS = {"git"}\n' + lines(n, "print(TOOLS, TOOLS[#], other.TOOLS)"))


@case
def python_sets_of_which_one_is_meant(n: int) -> Case:
    return imported("tools.py", lines(n, 'TOOLS# = {"c#"}'), "--symbol", "TOOLS7")


@case
def rules_imported(n: int) -> Case:
    return imported("tools.rules", lines(n, 'prefix_rule(pattern=["c#", ["a", "b"]], decision="forbidden")'))


@case
def aliases_of_one_alias(n: int) -> Case:
    return imported("sudoers", lines(n, "Cmnd_Alias A# = /bin/c#") + "Cmnd_Alias ALL_OF = "
                    + ", ".join(f"A{i}" for i in range(n)) + "\n")  # fmt: skip


@case
def tools_of_a_manifest_imported(n: int) -> Case:
    return imported("plugin.yaml", "name: x\nrequirements:\n  external_tools:\n" + lines(n, "    - c#"))


@case
def conditions_of_a_profile_imported(n: int) -> Case:
    form = '{{"names": ["personality"], "action": "SCMP_ACT_ALLOW", "args": [{{"index": 0, "value": {}, "op": "SCMP_CMP_EQ"}}]}}'
    rules = ",\n".join(form.format(i) for i in range(n))
    return imported("p.json", f'{{"defaultAction": "SCMP_ACT_ERRNO", "syscalls": [{rules}]}}')


@case
def names_that_are_in_one_list_of_two(n: int) -> Case:
    files = {"a.names": lines(n, "a#"), "b.names": lines(n, "b#")}
    return files, ["import", "--max-errors", "0", *files]


@case
def options_before_a_command_explained(n: int) -> Case:
    return policy(lines(n, f'allow "git x#"  {WHY}'), ["explain", "p.allow", "--", "git", *["-a"] * n])


# ---- the proof ----


def denied(n: int) -> str:
    return lines(n, f"forbid syscall kill(pid == #)  {WHY}")


@case
def conditions_of_one_call(n: int) -> Case:
    return policy(denied(128 + n // 2))


@case
def roles_above_conditions_of_one_call(n: int) -> Case:
    return policy(denied(16) + lines(n // 48, f"role r#x {{ forbid syscall kcmp  {WHY} }}"))


# ---- many policies ----


@fails
@case
def policies_that_find_their_outputs_as_they_shall_be(n: int) -> Case:
    files = {f"p{i}.allow": f'policy p{i}\nallow git  {WHY}\noutput names "n{i}.txt"\n' for i in range(n)}
    outputs = {f"n{i}.txt": "git\n" for i in range(n)}
    return files | outputs, ["sync", "--check", "-q", "-Wno-adr-unchecked", *files]
