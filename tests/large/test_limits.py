#!/usr/bin/env python3
"""The limits whose texts are so large that they take seconds; tests/cli/test_limits.py has the others."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap  # noqa: E402
from tap import allowc, contains, equal, passes, test  # noqa: E402

MIB = 1024 * 1024
QUIET = ("check", "-q", "-Wno-adr-unchecked", "-Wno-reason")
COMMENT = "#" * 1023 + "\n"


def write(text, name="p.allow"):
    Path(name).write_text(text, encoding="utf-8")


def trouble(text, *words, **options):
    done = allowc(*words, **options)
    equal((done.returncode, done.stdout, done.stderr), (2, "", f"allowc: cannot read {text}\n"))


# ---- files ----


def of_size(size, name="p.allow"):
    head = "policy p\nallow git  adr 1\n"
    lines, rest = divmod(size - len(head), len(COMMENT))
    with open(name, "w", encoding="ascii") as file:
        file.write(head + COMMENT * lines + "#" * rest)
    equal(Path(name).stat().st_size, size)


@test
def a_policy_has_64_mib():
    of_size(64 * MIB)
    passes(*QUIET, "p.allow")
    of_size(64 * MIB + 1)
    write("policy q\n", "q.allow")
    for words in ((*QUIET, "p.allow"), ("fmt", "--check", "p.allow"), ("diff", "p.allow", "q.allow")):
        trouble("'p.allow': it is larger than 64 MiB", *words)
    with open("p.allow", "rb") as file:
        trouble("'-': it is larger than 64 MiB", *QUIET, "-", stdin=file)


@test
def a_saved_policy_has_256_mib():
    """What is left of standard input is no policy."""
    write("policy p\nallow git  adr 1\n")
    passes("-q", "-Wno-adr-unchecked", "-Wno-reason", "--emit", "json", "-o", ".", "p.allow")
    text = Path("p.json").read_text(encoding="utf-8")
    write(text + " " * (64 * MIB), "q.json")
    contains(passes("diff", "p.allow", "q.json").stdout, "equivalent")
    with open("q.json", "r+b") as file:
        file.truncate(256 * MIB + 1)
        file.seek(-9, 2)
        file.write(b"policy p\n")
    trouble("'q.json': it is larger than 256 MiB", "diff", "p.allow", "q.json")
    with open("q.json", "rb") as file:
        trouble("'-': it is larger than 256 MiB", "diff", "-", "p.allow", stdin=file)


@test
def a_manifest_has_64_mib():
    write('policy p\nallow git, jq  adr 1\nplugin x "plugin.yaml" {\n    tools git, jq\n}\n')
    text = "name: x\nrequirements:\n  external_tools:\n    - git\n"
    rest = 64 * MIB - len(text)
    write(text + COMMENT * (rest // len(COMMENT)) + "#" * (rest % len(COMMENT)), "plugin.yaml")
    passes("-q", "-Wno-adr-unchecked", "-Wno-reason", "--emit", "plugin-yaml", "p.allow")
    with open("generated/plugins/x/plugin.yaml", encoding="utf-8") as file:
        contains(file.read(100), "    - git\n    - jq\n")


# ---- rows ----


def rows(count, name="p"):
    """In lists of 1,000, the last ones in a role."""
    lists = [", ".join(f"c{n}" for n in range(at, at + 1000)) for at in range(0, count - 1000, 1000)]
    last = ", ".join(f"c{n}" for n in range(1000))
    text = "".join(f'allow {names}  adr 1\n' for names in lists)
    write(f'policy {name}\n{text}role r {{\n    forbid {last}  adr 1  because "x"\n}}\n', f"{name}.allow")


@test
def a_policy_has_a_million_rows():
    rows(1000 * 1000)
    passes(*QUIET, "p.allow")
    write("policy q\nextends p\nallow one-more  adr 1\n", "q.allow")
    done = allowc(*QUIET, "q.allow")
    equal((done.returncode, done.stdout), (1, ""))
    # 11 characters stand before the first name; the one past the limit is the last.
    column = 12 + len(", ".join(f"c{n}" for n in range(999)) + ", ")
    contains(done.stderr, f"p.allow:1002:{column}: error: more than 1000000 rows in a policy and its layers [limit]\n")
    contains(done.stderr, f"p.allow:1002:{column}: help: each command of a list counts as a row; divide the policy\n")
    equal(done.stderr.count("error:"), 1)
    # With a thousand more it is the first of its list.
    write("policy q\nextends p\nallow " + ", ".join(f"more{n}" for n in range(1000)) + "  adr 1\n", "q.allow")
    contains(allowc(*QUIET, "q.allow").stderr, "p.allow:1002:12: error: more than 1000000 rows")


@test
def filters_of_48_roles_above_2000_conditions_are_proven():
    rows = "".join(f'forbid syscall kill(pid == {n})  adr 1  because "x"\n' for n in range(2000))
    write(f"policy p\n{rows}"
          + "".join(f'role number{n}x {{ forbid syscall kcmp  adr 1  because "x" }}\n' for n in range(48)))  # fmt: skip
    passes(*QUIET, "-Wno-incomplete-group", "-Wno-spelling-twin", "p.allow")


tap.main()
