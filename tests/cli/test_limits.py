#!/usr/bin/env python3
"""The limits of grammar/README.md, each tried at the limit and one past it; tests/large has those that take seconds."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap  # noqa: E402
from tap import allowc, contains, equal, fails, passes, test  # noqa: E402

MIB = 1024 * 1024
QUIET = ("check", "-q", "-Wno-adr-unchecked", "-Wno-reason")


def write(text, name="p.allow"):
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")


def policy(rows=""):
    write(f"policy p\n{rows}")


def refused(text, *options, name="p.allow"):
    """One error of this name and place, exit status 1."""
    done = allowc(*QUIET, *options, name)
    equal((done.returncode, done.stdout), (1, ""), done.stderr[-500:])
    equal([line for line in done.stderr.splitlines() if "error:" in line], [text])
    return done.stderr


def trouble(text, *words):
    done = allowc(*(words or (*QUIET, "p.allow")))
    equal((done.returncode, done.stdout, done.stderr), (2, "", f"allowc: {text}\n"))


def accepted(name="p.allow"):
    passes(*QUIET, name)


# ---- files ----


@test
def what_a_policy_names_has_64_mib_too():
    with open("below.allow", "w", encoding="ascii") as file:
        file.truncate(64 * MIB + 1)
    for line in ('extends "below.allow"', 'use "below.allow"'):
        policy(f"{line}\n")
        trouble("cannot read 'below.allow': it is larger than 64 MiB")


@test
def an_adr_has_16_mib():
    write('policy p\ndecisions "adr"\nallow git  adr 1\n')
    head = "# 1. Tools\n\nStatus: accepted\n\n`git` is in.\n\n"
    line = "x" * 1023 + "\n"
    text = head + line * ((16 * MIB - len(head)) // 1024)
    write(text + "y" * (16 * MIB - len(text)), "adr/0001-tools.md")
    accepted()
    write(text + "y" * (16 * MIB - len(text) + 1), "adr/0001-tools.md")
    trouble("cannot read 'adr/0001-tools.md': it is larger than 16 MiB")


# ---- lines and texts ----


@test
def a_line_has_1_mib_in_the_layout_too():
    """The indent of a block makes a comment longer: nothing is wrong with the text, and it stays."""
    before, after = "policy p\nrole r {\n", '\n    forbid git  adr 1  because "x"\n}\n'
    for size, status in ((MIB - 4, 0), (MIB - 3, 2)):
        write(f"{before}{'#' * size}{after}")
        accepted()
        told = allowc("fmt", "-q", "p.allow")
        equal((told.returncode, told.stdout, told.stderr), (status, "", "" if not status else
              "allowc: 'p.allow' would have a line longer than 1 MiB in its layout; it stays as it is\n"))  # fmt: skip
        indent = "" if status else "    "
        equal(Path("p.allow").read_text(encoding="utf-8") == f"{before}{indent}{'#' * size}{after}", True, size)


@test
def a_line_has_1_mib():
    policy("#" * MIB + "\nallow git  adr 1\n")
    accepted()
    policy("#" * (MIB + 1) + "\nallow git  adr 1\nalow\n")
    text = refused("p.allow:2:1: error: this line is longer than 1 MiB [limit]")
    contains(text, "p.allow:2:1: help: divide it: a list goes on in the next line after a ','\n")
    write("policy p" + " " * (MIB - 7))
    refused("p.allow:1:1: error: this line is longer than 1 MiB [limit]")


@test
def the_last_line_has_1_mib():
    policy("#" * MIB)
    accepted()
    policy("#" * (MIB + 1))
    refused("p.allow:2:1: error: this line is longer than 1 MiB [limit]")


@test
def a_layer_whose_line_is_too_long_says_nothing_else():
    """No row above seems to lack what stood in it."""
    write("policy below\n" + "#" * (MIB + 1) + "\nallow git  adr 1\n", "below.allow")
    policy('extends "below.allow"\nplugin x {\n    tools git\n}\nexpect allowed git\nforbid syscall @x  adr 1  because "y"\n')
    refused("below.allow:2:1: error: this line is longer than 1 MiB [limit]")


@test
def a_text_has_4000_characters():
    for row, place in (("allow git  adr 1  because", 27), ("decline git  adr 1  because \"x\"  instead", 42), ("title", 7)):
        for character in ("x", "\u00e9", "\U0001f600"):
            policy(f'{row} "{character * 4000}"\n')
            accepted()
            policy(f'{row} "{character * 4001}"\n')
            text = refused(f"p.allow:2:{place}: error: the text has 4001 characters, more than 4000 [limit]")
            contains(text, f"p.allow:2:{place}: help: long arguments belong in the ADR\n")


# ---- counts ----


@test
def a_decisions_accepts_100_words():
    """Past it no ADR is opened: those of other words do not seem to be open."""
    for count in (100, 101):
        words = ",\n".join(f'"w{number}"' for number in range(count))
        write(f'policy p\ndecisions "adr*" accept {words}\nallow git  adr 1/1  because "x"\n')
        for folder in ("adr1", "adr2"):
            write(f"# 1. Tools\n\nStatus: w{count - 1}\n\n`git`\n", f"{folder}/0001-tools.md")
        if count == 100:
            accepted()
    text = refused("p.allow:102:1: error: more than 100 words for accepted [limit]")
    contains(text, "p.allow:102:1: help: leave out those that no status begins with\n")


@test
def a_word_for_accepted_has_100_characters():
    for letter in ("x", "\u00e9"):
        for size in (100, 101):
            write(f'policy p\ndecisions "adr" accept "Ratified", "{letter * size}"\nallow git  adr 1  because "x"\n')
            write(f"# 1. Tools\n\nStatus: {letter * size}\n\n`git`\n", "adr/0001-tools.md")
            if size == 100:
                accepted()
        text = refused("p.allow:2:36: error: the word for accepted has 101 characters, more than 100 [limit]")
        contains(text, 'p.allow:2:36: help: write what a status begins with: accept "Approved"\n')


def chain(layers):
    for number in range(1, layers + 1):
        below = f"extends l{number + 1}\n" if number < layers else ""
        write(f"policy l{number}\n{below}allow c{number}  adr 1\n", f"l{number}.allow")


@test
def a_chain_has_64_layers():
    chain(64)
    accepted("l1.allow")
    chain(65)
    refused("l64.allow:2:9: error: more than 64 layers [layer]", name="l1.allow")


@test
def libraries_are_64_deep():
    policy('use "u1.allow"\nforbid syscall @u  adr 1  because "x"\n')
    for deepest in (64, 65):
        for number in range(1, deepest):
            write(f'use "u{number + 1}.allow"\n', f"u{number}.allow")
        write("syscalls @u {\n    mkdir, mkdirat, io_uring_setup\n}\n", f"u{deepest}.allow")
        if deepest == 64:
            accepted()
    refused("u64.allow:1:5: error: libraries bring in libraries more than 64 deep [library]")


@test
def groups_are_64_deep():
    for deepest in (64, 65):
        groups = "".join(f"syscalls @g{n} {{\n    @g{n + 1}\n}}\n" for n in range(1, deepest))
        policy(groups + f"syscalls @g{deepest} {{\n    kcmp\n}}\n")
        if deepest == 64:
            accepted()
    refused("p.allow:192:5: error: groups hold groups more than 64 deep [group]")


@test
def a_group_names_10000():
    lines = ["kcmp, mkdir, bpf, read"] * 2500
    policy("syscalls @x {\n" + "\n".join(lines) + '\n}\nforbid syscall @x  adr 1  because "x"\n')
    passes(*QUIET, "-Wno-incomplete-group", "p.allow")
    policy("syscalls @x {\n" + "\n".join(lines) + '\nptrace\n}\nforbid syscall @x  adr 1  because "x"\nexpect denied syscall bpf\n')
    text = refused("p.allow:2503:1: error: the group '@x' names more than 10000 [limit]")
    contains(text, "p.allow:2503:1: help: divide it into groups, and name those in one\n")


@test
def groups_hold_a_million_calls_of_others():
    """1,000 groups of 100 calls each, in 10 groups, are at the limit; nothing past it is said twice."""
    hundred = ", ".join(f"kill(pid == {n})" for n in range(100))
    many = ",\n".join([", ".join(["@h"] * 100)] * 10)
    groups = f"syscalls @h {{\n{hundred}\n}}\n" + "".join(f"syscalls @m{n} {{\n{many}\n}}\n" for n in range(10))
    policy(groups)
    accepted()
    policy(groups + "syscalls @one {\n    kcmp\n}\nsyscalls @two {\n    @one, @one\n}\n")
    text = refused("p.allow:129:5: error: groups hold more than 1000000 calls by way of other groups [limit]")
    contains(text, "p.allow:129:5: help: name what a row needs on the row\n")


@test
def filters_of_roles_are_proven_in_10000_million_tries():
    """48 roles above 2,000 conditions of one call are at the limit: tests/large has them."""
    rows = "".join(f'forbid syscall kill(pid == {n})  adr 1  because "x"\n' for n in range(2000))
    policy(rows + "".join(f'role number{n}x {{ forbid syscall kcmp  adr 1  because "x" }}\n' for n in range(49)))
    text = refused("p.allow:2050:6: error: to prove the filters of roles up to 'number48x', conditions are tried more than "
                   "10000 million times [limit]")  # fmt: skip
    contains(text, "p.allow:2050:6: help: compare with ranges and masks (type < 5, flags & MASK), or deny system calls in "
             "fewer roles\n")  # fmt: skip


# ---- depth ----


@test
def parentheses_are_32_deep():
    for depth in (32, 33):
        policy(f'forbid syscall kill{"(" * depth}pid == 1{")" * depth}  adr 1  because "x"\n')
        if depth == 32:
            accepted()
    refused("p.allow:2:52: error: parentheses nested more than 32 deep [condition]")


@test
def a_condition_has_fewer_than_256_parts():
    # A comparison has three, and each && one more.
    for count in (64, 65):
        parts = " && ".join(f"pid != {number}" for number in range(count))
        policy(f'forbid syscall kill({parts})  adr 1  because "x"\n')
        if count == 64:
            accepted()
    refused("p.allow:2:20: error: a condition of more than 255 parts [condition]")


@test
def a_command_has_1024_bytes():
    policy(f"allow {'c' * 1024}  adr 1\n")
    accepted()
    policy(f"allow {'c' * 1025}  adr 1\n")
    refused("p.allow:2:7: error: the command is longer than 1024 bytes [command]")


@test
def front_matter_is_32_deep():
    # What is deeper is read line by line, where no line begins with the key.
    write('policy p\ndecisions "adr"\nallow git  adr 1  because "x"\n')
    for depth in (31, 32):
        front = "{status: accepted, x: " + "[" * depth + "]" * depth + "}"
        write(f"---\n{front}\n---\n# 1. Tools\n\n`git`\n", "adr/0001-tools.md")
        if depth == 31:
            accepted()
    refused("p.allow:3:16: error: ADR p/0001 is not certainly accepted: it has no status [adr-status]")


def manifest(depth):
    write("name: x\nrequirements:\n  external_tools:\n    - git\nother: " + "[" * depth + "]" * depth + "\n", "plugin.yaml")


@test
def a_manifest_is_100_deep_and_has_64_mib():
    policy('allow git  adr 1\nplugin x "plugin.yaml" {\n    tools git\n}\n')
    options = ("-q", "-Wno-adr-unchecked", "-Wno-reason", "--emit", "plugin-yaml", "p.allow")
    manifest(depth=99)
    passes(*options)
    manifest(depth=100)
    done = allowc(*options)
    equal((done.returncode, done.stderr.splitlines()[0]),
          (1, f"plugin.yaml:5:{len('other: ') + 100}: error: the manifest of plugin 'x' cannot be edited: "
              "it is nested too deeply [manifest]"))  # fmt: skip
    with open("plugin.yaml", "wb") as file:
        file.truncate(64 * MIB + 1)
    trouble("cannot read 'plugin.yaml': it is larger than 64 MiB", *options)


@test
def a_manifest_has_100_tag_lines():
    policy('allow git  adr 1\nplugin x "plugin.yaml" {\n    tools git\n}\n')
    words = ("-q", "-Wno-adr-unchecked", "-Wno-reason", "--emit", "plugin-yaml", "p.allow")
    for count in (100, 101):
        tags = "".join(f"%TAG !t{i}! tag:x,2000:\n" for i in range(count))
        write(f"{tags}---\nname: x\nrequirements:\n  external_tools:\n    - git\n", "plugin.yaml")
        if count == 100:
            passes(*words)
    equal(fails(1, *words).splitlines()[0], "plugin.yaml:101:1: error: the manifest of plugin 'x' cannot be edited: "
          "it has more than 100 %TAG lines [manifest]")  # fmt: skip
    # libyaml ends a line at each of these, and so reads them as directives.
    for end in ("\r", "\u0085", "\u2028", "\u2029"):
        write(f"%TAG !t! tag:x,2000:{end}" * 101 + "---\nname: x\n", "plugin.yaml")
        contains(fails(1, *words), "it has more than 100 %TAG lines [manifest]")
    # The last byte of this letter is that of a line separator, too.
    write("# \u00e8%TAG\n" * 101 + "name: x\nrequirements:\n  external_tools:\n    - git\n", "plugin.yaml")
    passes(*words)


@test
def json_is_2048_deep():
    policy("allow git  adr 1\n")
    for depth in (2047, 2048):
        write('{"x":' + "[" * depth + "]" * depth + "}", "q.json")
        done = allowc("diff", "p.allow", "q.json")
        equal((done.returncode, done.stdout), (2, ""))
        equal("maximum parsing depth reached near '['" in done.stderr, depth == 2048, done.stderr[:300])
    write(json.dumps({"x": 1}), "q.json")
    equal(allowc("diff", "p.allow", "q.json").returncode, 2)


tap.main()
