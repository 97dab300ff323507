#!/usr/bin/env python3
"""The limits of import whose texts have 64 MiB; tests/cli/test_import_limits.py has the others."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap  # noqa: E402
from tap import allowc, contains, equal, passes, test  # noqa: E402

MIB = 1024 * 1024
TEN = "[" + ", ".join(f'"{i}"' for i in range(10)) + "]"


def write(name, text):
    Path(name).write_text(text, encoding="utf-8")


def rules(*patterns, more=""):
    write("a.rules", "".join(f"prefix_rule(pattern=[{pattern}]{more})\n" for pattern in patterns))


def refused(text, name):
    """One error of this name and place, exit status 1."""
    done = allowc("import", name)
    equal(done.returncode, 1, done.stderr[-500:])
    equal([line for line in done.stderr.splitlines() if " error: " in line], [text])


@test
def a_file_has_64_mib():
    with open("a.names", "wb") as file:
        file.truncate(64 * MIB + 1)
    done = allowc("import", "a.names")
    equal((done.returncode, done.stdout, done.stderr),
          (2, "", "allowc: cannot read 'a.names': it is larger than 64 MiB\n"))  # fmt: skip
    head = "git\n#"
    write("a.names", head + ("x" * 1023 + "\n#") * 65471)
    with open("a.names", "a", encoding="ascii") as file:
        file.write("y" * (64 * MIB - file.tell()))
    equal(Path("a.names").stat().st_size, 64 * MIB)
    contains(passes("import", "a.names").stdout, "\nallow git  adr ?\n")


@test
def the_rules_of_a_file_stand_for_64_mib():
    # A command has 2 + 2 + 2 + 2 bytes, and its reason 3347: 33,550,000 a rule.
    rules(*[", ".join([TEN] * 4)] * 2, more=f', justification="{"x" * 3347}"')
    passes("import", "a.rules")
    rules(*[", ".join([TEN] * 4)] * 2, more=f', justification="{"x" * 3348}"')
    refused("a.rules:2:21: error: this rule cannot be read: the rules up to here stand for more than 64 MiB of "
            "commands and reasons [import-form]", "a.rules")  # fmt: skip


@test
def a_heading_that_stands_above_many_makes_no_policy_of_more_than_64_mib():
    held = ", ".join(f"/b/p{i}, X{i}" for i in range(70))
    aliases = "".join(f"Cmnd_Alias X{i} = /c/q{i}\n" for i in range(70))
    write("a.sudoers", f"# {'h' * (MIB - 100)}\nCmnd_Alias A = {held}\n{aliases}x ALL = A\n")
    done = allowc("import", "a.sudoers")
    equal((done.returncode, done.stdout), (1, ""))
    contains(done.stderr, "error: the policy up to here would be larger than 64 MiB [limit]\n")


tap.main()
