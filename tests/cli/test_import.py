#!/usr/bin/env python3
"""allowc import: what is printed, where, and that it becomes a policy."""

import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import allowc, contains, equal, fails, passes, test  # noqa: E402

GOLDEN = suite.ROOT / "tests" / "golden"


def write(**files):
    for name, text in files.items():
        Path(name.replace("_py", ".py").replace("_names", ".names")).write_text(text, encoding="utf-8")


@test
def what_is_printed_is_laid_out():
    """The policy of every golden case is as fmt would have it."""
    policies = sorted(GOLDEN.glob("import-*/expect.stdout"))
    equal(len(policies) > 15, True)
    for policy in policies:
        copy = Path(f"{policy.parent.name}.allow")
        copy.write_bytes(policy.read_bytes())
    equal(allowc("fmt", "--check", *sorted(map(str, Path.cwd().glob("*.allow")))).stdout, "")


@test
def an_open_row_compiles_once_it_is_filled_in():
    write(sandbox_py='ALLOWED = {\n    "git",  # clones\n    "docker buildx",\n}\n')
    policy = passes("import", "sandbox.py").stdout
    Path("sandbox.allow").write_text(policy, encoding="utf-8")
    error = fails(1, "check", "sandbox.allow")
    contains(error, "'allow git' is left open by 'allowc import'")
    equal(error.count("[missing-adr]"), 2)
    equal(error.count("[-Wreason]"), 0)
    Path("sandbox.allow").write_text(policy.replace("adr ?", "adr 0001"), encoding="utf-8")
    equal(passes("list", "-Wno-adr-unchecked", "-Wno-reason", "sandbox.allow").stdout, "git\ndocker buildx\n")


@test
def a_conflict_never_compiles_however_it_is_filled_in():
    write(a_py='ALLOWED = {"git", "su"}\n', b_py='FORBIDDEN = {"su": "needs root"}\n')
    done = allowc("import", "a.py", "b.py")
    equal(done.returncode, 1)
    Path("a.allow").write_text(done.stdout.replace("adr ?", "adr 0001"), encoding="utf-8")
    contains(fails(1, "check", "a.allow"), "[duplicate]")


@test
def many_open_rows_stay_readable():
    write(a_names="".join(f"tool-{i}\n" for i in range(400)))
    Path("a.allow").write_text(passes("import", "a.names").stdout, encoding="utf-8")
    error = fails(1, "check", "a.allow")
    equal(error.count("[missing-adr]"), 20)
    contains(error, "380 more errors")


@test
def standard_input_is_read_in_its_format():
    for text, command in (("# ADR-0007\ngit\n", "git"), ('A = {"git"}\n', "git"),
                          ('prefix_rule(pattern=["git", "log"])\n', '"git log"'),
                          ("Cmnd_Alias A = /usr/bin/git\na ALL = A\n", "git")):  # fmt: skip
        policy = passes("import", "-", input=text).stdout
        contains(policy, "\npolicy imported\n")
        contains(policy, f"\nallow {command}  adr ")


@test
def a_file_named_twice_is_read_once():
    write(a_names="git\n")
    done = passes("import", "a.names", "a.names")
    equal((done.stdout.count("allow git"), done.stderr), (1, ""))


@test
def names_of_policies_come_from_files():
    for name, policy in (("Phase 7.py", "phase-7"), (".tools.names", "tools"), ("7.names", "imported"),
                         ("a__b--c.d.py", "a__b-c"), ("éa.py", "a"), ("try.py", "try-policy"), ("try-.py", "try-policy"),
                         ("a" * 100 + ".py", "a" * 48), ("Not_EQ.names", "not_eq-policy")):  # fmt: skip
        Path(name).write_text('A = {"git"}\n' if name.endswith(".py") else "git\n", encoding="utf-8")
        contains(passes("import", name).stdout, f"\npolicy {policy}\n")


@test
def trouble_is_told_and_nothing_is_printed():
    write(a_names="git\n")
    os.mkdir("folder")
    for arguments, message in ((["missing.py"], "cannot read 'missing.py': No such file or directory"),
                               (["folder"], "cannot read 'folder': Is a directory: name a file in it"),
                               (["a.names", "missing.py"], "cannot read 'missing.py'"),
                               ([], "no file is named"), (["--symbol"], "needs a value: NAME"),
                               (["--symbol", "A", "a.names"], "--symbol: no file has a list 'A' that can be read"),
                               (["-", "-"], "standard input ('-') can be read only once")):  # fmt: skip
        done = allowc("import", *arguments, input="")
        equal((done.returncode, done.stdout), (2, ""), arguments)
        contains(done.stderr, message)


@test
def one_file_that_cannot_be_read_prints_nothing():
    write(a_names="git\n", b_py="A = set(B)\n")
    done = allowc("import", "a.names", "b.py")
    equal((done.returncode, done.stdout), (1, ""))


@test
def warnings_can_be_errors():
    Path("a.sudoers").write_text("Cmnd_Alias A = /usr/bin/git status\n", encoding="utf-8")
    done = allowc("import", "a.sudoers")
    equal(done.returncode, 0)
    contains(done.stderr, "[-Wimport-wider]")
    equal(passes("import", "-Wno-import-wider", "a.sudoers").stdout, done.stdout)
    done = allowc("import", "-Werror", "a.sudoers")
    equal(done.returncode, 1)
    contains(done.stderr, "[-Werror=import-wider]")


@test
def twenty_thousand_names_in_five_lists():
    names = [f"tool-{i}" for i in range(20000)]
    for i in range(5):
        own = [name for name in names if name != f"tool-{i}"]
        Path(f"{i}.py").write_text("A = frozenset({\n" + "".join(f'    "{name}",\n' for name in own) + "})\n",
                                   encoding="utf-8")
    done = allowc("import", *(f"{i}.py" for i in range(5)))
    equal(done.returncode, 0)
    equal(len(re.findall("^allow ", done.stdout, re.MULTILINE)), 20000)
    equal(len(re.findall("^  tool-[0-4]: in .*; not in A \\([0-4].py\\)$", done.stderr, re.MULTILINE)), 5)


@test
def a_line_of_ten_megabytes_is_a_line():
    Path("a.py").write_text("A = {" + ", ".join(f'"t{i}"' for i in range(20000)) + "} # " + "x" * 10_000_000,
                            encoding="utf-8")
    equal(passes("import", "a.py").stdout.count("\nallow t"), 20000)


@test
def the_time_grows_with_the_text():
    """Each of these took minutes where every line, or word, went over all before it."""
    comments = "# a heading of some length, one of many lines\n" * 100_000
    write(a_py=f'A = {{\n{comments}"git"}}\n', b_names=f"{comments}git\n")
    Path("c.sudoers").write_text(f"Cmnd_Alias A = /bin/a {'x ' * 200_000}, !/bin/b\n", encoding="utf-8")
    contains(passes("import", "a.py").stdout, "\nallow git  adr ?\n")
    contains(passes("import", "b.names").stdout, "\nallow git  adr ?\n")
    done = allowc("import", "c.sudoers")
    equal(done.returncode, 1)
    contains(done.stderr, "error: this command is longer than 1024 bytes [import-entry]")


@test
def a_module_is_one_whatever_its_texts_hold():
    write(a_py='"""\nrequirements:\n  external_tools: [su]\n"""\nA = {"git"}\n')
    contains(passes("import", "a.py").stdout, "\nallow git  adr ?\n")


@test
def nothing_is_executed():
    """A module that would leave a file behind is read as text."""
    write(a_py='open("ran", "w").close()\nA = {"git"}\nimport os; os.system("touch ran")\n')
    passes("import", "a.py")
    equal(os.path.exists("ran"), False)
    subprocess.run([sys.executable, "a.py"], check=True)
    equal(os.path.exists("ran"), True)


tap.main()
