#!/usr/bin/env python3
"""The limits of import in grammar/README.md, each at the limit and one past it, and what a small file may cost;
those of 64 MiB are in tests/large/test_import_limits.py."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap  # noqa: E402
from tap import allowc, contains, equal, passes, test  # noqa: E402

MIB = 1024 * 1024
TEN = "[" + ", ".join(f'"{i}"' for i in range(10)) + "]"


def write(name, text):
    Path(name).write_text(text, encoding="utf-8")


def refused(text, name):
    """One error of this name and place, exit status 1; returns what is printed."""
    done = allowc("import", name)
    equal(done.returncode, 1, done.stderr[-500:])
    equal([line for line in done.stderr.splitlines() if " error: " in line], [text])
    return done.stdout


def rules(*patterns, more=""):
    write("a.rules", "".join(f"prefix_rule(pattern=[{pattern}]{more})\n" for pattern in patterns))


@test
def brackets_are_open_200_deep():
    for depth in (199, 200):
        write("a.py", 'A = ["git"]\nB = ' + "[" * (depth + 1) + "]" * (depth + 1) + "\n")
        if depth == 199:
            passes("import", "--symbol", "A", "a.py")
    refused("a.py:2:205: error: more than 200 brackets are open here [import-form]", "a.py")


@test
def a_million_entries_are_copied():
    """By names of a thousand: one copies them for each."""
    names = ", ".join(f'"{i}"' for i in range(1000))
    write("a.py", f"A = {{{names}}}\n" + "".join(f"B{i} = A\n" for i in range(1, 1002)))
    equal(passes("import", "--symbol", "B1000", "a.py").stdout.count("\nallow "), 1000)
    done = allowc("import", "--symbol", "B1001", "a.py")
    equal((done.returncode, done.stderr.splitlines()[0]),
          (1, "a.py:1002:9: error: 'B1001' is no literal of strings: more than 1000000 entries are put together "
              "[import-form]"))  # fmt: skip
    write("a.py", 'A0 = ["git"]\n' + "".join(f"A{i + 1} = A{i} + A{i}\n" for i in range(60)))
    equal(passes("import", "--symbol", "A10", "a.py").stdout.count("\nallow git"), 1)


@test
def aliases_hold_aliases_64_deep():
    for depth in (64, 65):
        text = "".join(f"Cmnd_Alias A{i} = A{i + 1}\n" for i in range(1, depth))
        write("a.sudoers", f"{text}Cmnd_Alias A{depth} = /bin/git\na ALL = A1\n")
        if depth == 64:
            equal(passes("import", "a.sudoers").stdout.count("allow git"), 1)
    refused("a.sudoers:64:18: error: 'A65' is an alias of aliases in more than 64 steps [import-entry]", "a.sudoers")


@test
def a_rule_stands_for_10000_commands_of_1024_bytes():
    rules(", ".join([TEN] * 4))
    equal(passes("import", "a.rules").stdout.count("\nallow "), 10000)
    rules(", ".join(["[" + ", ".join(f'"{i}"' for i in range(10001)) + "]"]))
    refused("a.rules:1:22: error: this rule cannot be read: this rule stands for more than 10000 commands "
            "[import-form]", "a.rules")  # fmt: skip
    rules(f'"{"a" * 512}", ["{"b" * 511}", "c"]')
    equal(passes("import", "a.rules").stdout.count("\nallow "), 2)
    rules(f'"{"a" * 512}", ["c", "{"b" * 512}"]')
    refused("a.rules:1:538: error: this rule cannot be read: it stands for a command of more than 1024 bytes "
            "[import-form]", "a.rules")  # fmt: skip


@test
def a_pattern_has_512_words():
    rules(", ".join(['"x"'] * 512))
    passes("import", "a.rules")
    rules(", ".join(['"x"'] * 513))
    refused("a.rules:1:21: error: this rule cannot be read: a pattern of more than 512 words is of no command "
            "[import-form]", "a.rules")  # fmt: skip


@test
def the_rules_of_a_file_stand_for_a_million_commands():
    rules(*[", ".join([TEN] * 4)] * 100, '"git"')
    refused("a.rules:101:21: error: this rule cannot be read: the rules up to here stand for more than 1000000 "
            "commands [import-form]", "a.rules")  # fmt: skip


@test
def a_reason_has_4000_characters():
    write("a.names", "git  # " + "é" * 4000 + "\n")
    contains(passes("import", "a.names").stdout, "\nallow git  adr ?  because \"é")
    write("a.names", "git  # " + "é" * 4001 + "\n")
    policy = refused("a.names:1:1: error: the reason of 'git' has 4001 characters, more than 4000 [limit]", "a.names")
    contains(policy, "\nallow git  adr ?\n")


@test
def a_line_of_the_policy_has_1_mib():
    write("a.py", f'A = {{\n    # {"x" * (MIB - 2)}\n    "git",\n}}\n')
    contains(passes("import", "a.py").stdout, "x" * (MIB - 2))
    write("a.py", f'A = {{\n    # {"x" * (MIB - 1)}\n    "git",\n}}\n')
    policy = refused("a.py:3:5: error: a comment above this would be a line longer than 1 MiB in the policy [limit]",
                     "a.py")  # fmt: skip
    equal(("xx" in policy, "\nallow git  adr ?\n" in policy), (False, True))


@test
def a_long_name_is_an_error_at_its_place():
    write("a.names", "y" * (MIB + 1) + "\n")
    policy = refused("a.names:1:1: error: this command is longer than 1024 bytes [import-entry]", "a.names")
    contains(policy, f"# allow '{'y' * 1024}…' is longer than 1024 bytes\n")
    write("plugin.yaml", f"name: {'z' * 1025}\nrequirements:\n  external_tools: [git]\n")
    refused("plugin.yaml:1:7: error: the tools cannot be read: the plugin's name is longer than a command may be "
            "[manifest]", "plugin.yaml")  # fmt: skip


@test
def a_list_of_tools_is_a_line():
    tools = [f"{'t' * 1000}{i}" for i in range(1100)]
    write("plugin.yaml", f"name: x\nrequirements:\n  external_tools: [{', '.join(tools)}]\n")
    refused("plugin.yaml:1:7: error: a list of tools would be a line longer than 1 MiB in the policy [limit]",
            "plugin.yaml")  # fmt: skip


tap.main()
