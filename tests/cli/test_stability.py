#!/usr/bin/env python3
"""What docs/stability.md promises.

    tests/cli/test_stability.py         in TAP
    tests/cli/test_stability.py --add   promises from now on what is new: adds it to tests/data/stable/names.txt

names.txt has what may never go, edition-1.txt the hash of each table that edition 1 is made of. A line of them is
changed only where it was wrong in a way that nobody can have relied on.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import sys
from functools import partial
from pathlib import Path
from typing import Iterator

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402

STABLE = suite.ROOT / "tests" / "data" / "stable"
SAMPLE = suite.ROOT / "policies" / "phase7.allow"
COMPILE = "compile"  # the command without a name


def read(path: str) -> str:
    return (suite.ROOT / path).read_text(encoding="utf-8")


def allowc(*words: object, expect: int | None = 0) -> str:
    return suite.run([*suite.program(), *map(str, words)], expect=expect).stdout


# ---- names ----


def diagnostics() -> Iterator[str]:
    for name, kind in re.findall(r'X\(\w+, "([a-z-]+)", \w+, (FIXED|OPEN),', read("compiler/base/diag_list.h")):
        yield f"diagnostic {name} {kind.lower()}"


def keywords() -> Iterator[str]:
    for kind, words in re.findall(r"#define (VERB|ATTRIBUTE|SETTING|EXPECTATION)_LIST\(X\)((?:.*\\\n)+.*)",
                                  read("compiler/policy/ast.h")):  # fmt: skip
        for word in re.findall(r'X\(\w+, "([a-z-]+)"\)', words):
            yield f"keyword {kind.lower()} {word}"
    for word in re.findall(r'\{ "([a-z]+)", TOKEN_\w+, IN_\w+ \}', read("compiler/policy/keyword.c")):
        yield f"keyword statement {word}"


def commands() -> Iterator[str]:
    for name in [COMPILE, *re.findall(r"^allowc ([a-z-]+)\b", allowc("--help"), re.M)]:
        yield f"command {name}"
        text = allowc(*([] if name == COMPILE else [name]), "--help")
        for letter, option in re.findall(r"^ +(?:(-\w), )?(--[a-z-]+|-W)", text, re.M):
            yield " ".join(["option", name, option, letter]).rstrip()


def listed(kind: str, *words: str) -> Iterator[str]:
    for line in allowc(*words).splitlines():
        yield f"{kind} {line.split()[0]}"


# What the sample has not: a role, with system calls and requirements of its own.
ROLES = """policy roles
allow docker  adr 0001  because "builds"
allow git  adr 0001  because "clones"
role gate {
    allow docker  adr 0001  because "pulls"  requires git
    forbid jq  adr 0001  because "reads no JSON"
    forbid CAP_SYS_PTRACE  adr 0001  because "traces nothing"
}
"""


@contextlib.contextmanager
def roles_policy() -> Iterator[Path]:
    with suite.scratch() as folder:
        (folder / "roles.allow").write_text(ROLES, encoding="utf-8")
        yield folder / "roles.allow"


def artifacts() -> Iterator[str]:
    """Each with the files that it makes of the sample, and with those that it makes for a role."""
    help_text = allowc("--help").split("Artifacts for --emit", 1)[1]
    with roles_policy() as roles:
        for name in re.findall(r"^  ([a-z-]+) +\*? ", help_text, re.M):
            paths = allowc("--list-outputs", "--emit", name, "-o", "DIR", SAMPLE).split()
            yield " ".join(["artifact", name, *paths])
            for path in allowc("-Wno-adr-unchecked", "--list-outputs", "--emit", name, "-o", "DIR", roles).split():
                if ".gate." in path:
                    yield f"artifact {name} of a role {path}"


# What the contract of these artifacts names; what else stands in them is their own machinery.
IDENTIFIERS = {
    "phase7.h": "phase7_verdict PHASE7_UNLISTED PHASE7_ALLOWED PHASE7_FORBIDDEN phase7_row *command; *adr; "
                "*reason; *instead; verdict; phase7_find phase7_match phase7_allowed PHASE7_FOR_EACH_ALLOWED "
                "PHASE7_FOR_EACH_FORBIDDEN PHASE7_FOR_EACH_REQUIREMENT PHASE7_REQUIREMENT_COUNT PHASE7_ROW_COUNT PHASE7_ALLOWED_COUNT PHASE7_FORBIDDEN_COUNT",
    "phase7.seccomp.h": "phase7_install_filter",
    "phase7.py": "ALLOWED_BINARIES FORBIDDEN_BINARIES DECLINED_BINARIES ADR EXTERNAL_TOOLS REQUIREMENTS PLATFORMS match",
    "roles.h": "roles_role ROLES_ROLE_GATE ROLES_ROLE_COUNT ROLES_FOR_EACH_ROLE roles_match_in roles_allowed_in "
               "ROLES_FOR_EACH_REQUIREMENT_BY_ROLE ROLES_REQUIREMENT_BY_ROLE_COUNT",
    "roles.gate.seccomp.h": "roles_gate_install_filter",
    "roles.py": "ALLOWED_BINARIES_BY_ROLE FORBIDDEN_BINARIES_BY_ROLE REQUIRED_BY_ROLE match_in",
}  # fmt: skip


def identifiers() -> Iterator[str]:
    with suite.scratch() as folder, roles_policy() as roles:
        for policy in (SAMPLE, roles):
            allowc("-q", "-Wno-adr-unchecked", "-o", folder, "--emit", "c-header,seccomp,python", policy)
        for file, words in IDENTIFIERS.items():
            there = set(re.findall(r"\*?\w+;|\w+", (folder / file).read_text(encoding="utf-8")))
            for word in words.split():
                if word in there:
                    yield f"identifier {file} {word}"


def members(schema: object) -> Iterator[str]:
    """The members that a part of a schema describes, those of members behind them; a number is a part of its name."""
    if isinstance(schema, list):
        for form in schema:
            yield from members(form)
    if not isinstance(schema, dict):
        return
    for name, value in schema.get("properties", {}).items():
        number = value.get("const", "") if isinstance(value, dict) else ""
        yield f"{name} {number}" if type(number) is int else name  # not of a `true`
        yield from (f"{name} {inner}" for inner in members(value))
    for key in ("items", "oneOf", "anyOf", "allOf", "additionalProperties"):
        yield from members(schema.get(key))


def schemas() -> Iterator[str]:
    """Each with the member that has its number, and all others; those that several have by the schema's own names."""
    for path in sorted((suite.ROOT / "packaging/schema").glob("*.schema.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        name = path.name.split(".", 1)[0]
        yield from (f"json {name} {member}" for member in members(schema))
        for part, form in schema["$defs"].items():
            yield from (f"json {name} {part} {member}" for member in members(form))


def names() -> list[str]:
    found = [*diagnostics(), *keywords(), *commands(), *listed("change", "diff", "--list-classes")]
    found += [*listed("rule", "gate", "--list-rules"), *artifacts(), *identifiers(), *schemas()]
    return list(dict.fromkeys(found))


def promised() -> list[str]:
    return [line for line in (STABLE / "names.txt").read_text().splitlines() if not line.startswith("#")]


def nothing_goes() -> None:
    there = set(names())
    gone = [name for name in promised() if name not in there]
    if gone:
        suite.fail("promised, and not there:\n" + "\n".join(gone))


def what_is_new_is_promised() -> None:
    known = set(promised())
    new = [name for name in names() if name not in known]
    if new:
        suite.fail("new: should it stay for ever? Then tests/cli/test_stability.py --add\n" + "\n".join(new))


def add() -> int:
    lines = (STABLE / "names.txt").read_text().splitlines()
    head = [line for line in lines if line.startswith("#")]
    every = sorted({*names(), *promised()})
    (STABLE / "names.txt").write_text("\n".join([*head, *every]) + "\n")
    return 0


# ---- edition 1 ----

# The ABIs of the language and their columns of the table.
ABIS = {"x86_64": "x86_64", "i386": "x86", "x32": "x32", "aarch64": "aarch64", "arm": "arm", "riscv64": "riscv64",
        "s390x": "s390x", "ppc64le": "ppc64", "loongarch64": "loongarch64"}  # fmt: skip


def rows(path: str) -> list[list[str]]:
    return [line.split("\t") for line in read(path).splitlines() if not line.startswith("#")]


def facts(table: list[list[str]]) -> str:
    """Sorted: where a row stands decides nothing."""
    return "".join(sorted("\t".join(row) + "\n" for row in table))


def tables() -> dict[str, str]:
    head, *calls = rows("compiler/data/syscalls.tsv")
    found = {f"system calls of {abi}": facts([[row[0], row[head.index(column)]] for row in calls
                                              if row[head.index(column)] != "-"])
             for abi, column in ABIS.items()}  # fmt: skip
    found["names of system calls"] = facts([row[:1] for row in calls])
    found["capabilities"] = facts([row[:3] for row in rows("compiler/data/capabilities.tsv")])
    for name in ("gates", "arguments", "constants"):
        found[name] = facts(rows(f"compiler/data/{name}.tsv"))
    found["errnos"] = facts([list(pair) for pair in re.findall(r"X\((E\w+), (\d+)\)", read("compiler/data/errnos.c"))])
    for path in sorted((suite.ROOT / "policies/std").glob("*.allow")):
        found[f"library {path.stem}"] = path.read_text(encoding="utf-8")
    return found


def editions_stay() -> None:
    """Arguments and constants may be added, since no policy can name them yet; then the hash is another."""
    lines = (STABLE / "edition-1.txt").read_text().splitlines()
    frozen = {line[66:]: line[:64] for line in lines if not line.startswith("#")}
    current = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in tables().items()}
    differing = [f"{current.get(name, 'gone'):64}  {name}" for name in dict.fromkeys([*frozen, *current])
                 if frozen.get(name) != current.get(name)]  # fmt: skip
    if differing:
        suite.fail("not what edition 1 was:\n" + "\n".join(differing))


# ---- exit statuses ----

GOOD = "policy good\nallow git  adr 0001  because \"clones\"\n"
WIDER = GOOD + "allow jq  adr 0001  because \"reads\"\n"
BAD = "policy bad\nallow git\n"
# For each command a run that finds nothing, one that finds something, and one that is trouble.
STATUSES = {
    "compile": ("good.allow", "bad.allow", "nowhere.allow"),
    "compile --check": ("--check -o made good.allow", "--check -o none good.allow", "--check -o made nowhere.allow"),
    "sync": ("sync good.allow", "sync bad.allow", "sync nowhere.allow"),
    "check": ("check good.allow", "check bad.allow", "check nowhere.allow"),
    "list": ("list good.allow", "list bad.allow", "list nowhere.allow"),
    "diff": ("diff good.allow good.allow", "diff good.allow wider.allow", "diff good.allow bad.allow"),
    "gate": ("gate good.allow good.allow", "gate good.allow wider.allow", "gate nowhere.allow good.allow"),
    "explain": ("explain good.allow rm", "explain bad.allow rm", "explain nowhere.allow rm"),
    "fmt --check": ("fmt --check good.allow", "fmt --check loose.allow", "fmt --check nowhere.allow"),
    "import": ("import good.names wider.names", "import bad.names", "import nowhere.names"),
    "adr": ("adr check adr", "adr check loose", "adr check nowhere"),
    "usage": ("--help", None, "--no-such-option"),
    "git-diff": ("git-diff good.allow good.allow 0 100644 wider.allow 0 100644", None, "git-diff x y"),
}


def status_is(line: str | None, status: int) -> None:
    if line is None:
        return
    with suite.scratch() as folder:
        files = {"good.allow": GOOD, "wider.allow": WIDER, "bad.allow": BAD, "loose.allow": GOOD.replace("  ", " "),
                 "good.names": "git\n", "wider.names": "git\njq\n", "bad.names": "git\n-x\n",
                 "adr/0001-x.md": "# 1. X\n\nStatus: Accepted\n", "loose/0001-x.md": "# 1. X\n"}  # fmt: skip
        for name, text in files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text)
        suite.run([*suite.program(), "-q", "-o", "made", "good.allow"], cwd=folder)
        suite.run([*suite.program(), *line.split()], cwd=folder, expect=status)


def statuses_are(runs: tuple[str | None, ...]) -> None:
    for status, line in enumerate(runs):
        status_is(line, status)


def main() -> int:
    if sys.argv[1:] == ["--add"]:
        return add()
    tests: list[suite.Test] = [("no promised name goes", nothing_goes),
                               ("what is new is promised", what_is_new_is_promised),
                               ("edition 1 is what it was", editions_stay)]  # fmt: skip
    tests += [(f"exit statuses: {name}", partial(statuses_are, runs)) for name, runs in STATUSES.items()]
    return suite.main(tests)


if __name__ == "__main__":
    sys.exit(main())
