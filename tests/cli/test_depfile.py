#!/usr/bin/env python3
"""--depfile and --stamp: what make and ninja make of them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import equal, fails, needs, passes, project, test  # noqa: E402

# Each has to reach both programs as it is.
NAMES = ["with blank", "hash#tag", "dollar$x", "co:lon", "back\\slash", "back\\ blank", "größe", "a=b", "per%cent"]


def text(path):
    return Path(path).read_text(encoding="utf-8")


def run(*arguments):
    """Without what a make around this test tells its children."""
    kept = {name: value for name, value in tap.environment().items() if not name.startswith(("MAKE", "MFLAGS"))}
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, env=kept)
    equal(done.returncode, 0, done.stdout + done.stderr)
    return done.stdout


def layered(folder="."):
    """A policy over one layer for each name, and one manifest."""
    lower = None
    for number, name in enumerate(NAMES):
        extends = f'extends "{lower}"\n' if lower else ""
        escaped = f"{name}.allow".replace("\\", "\\\\")
        Path(folder, f"{name}.allow").write_text(f"policy l{number}\n{extends}", encoding="utf-8")
        lower = escaped
    project(tap.POLICY.replace("policy p1\n", f'policy p1\nextends "{lower}"\n').replace(
        "plugin first {", 'plugin first "m n.yaml" {'))
    Path("m n.yaml").write_text("name: first\n", encoding="utf-8")


INPUTS = [*(f"{name}.allow" for name in NAMES), "adr/0001-tools.md", "p1.allow", "m n.yaml"]


@test
def all_artifacts_depend_on_all_that_was_read():
    project()
    passes("p1.allow", "-o", "out", "--depfile", "p1.d")
    equal(text("p1.d"),
          "out/p1.h out/p1.seccomp.h out/p1.bpf out/p1.py out/plugins/first/plugin.yaml "
          "out/plugins/second/plugin.yaml out/p1.sha256: \\\n  p1.allow \\\n  adr/0001-tools.md\n"
          "\np1.allow:\n\nadr/0001-tools.md:\n")


@test
def a_layer_of_several_policies_is_one_prerequisite():
    Path("low.allow").write_text("policy low\n", encoding="utf-8")
    for name in ("p1", "p2"):
        project(f"policy {name}\nextends low\n", f"{name}.allow")
    passes("-Wno-adr-unchecked", "p1.allow", "p2.allow", "--emit", "names", "--depfile", "d")
    equal(text("d"), "generated/p1.names generated/p1.sha256 generated/p2.names generated/p2.sha256: \\\n"
          "  p1.allow \\\n  low.allow \\\n  p2.allow\n\np1.allow:\n\nlow.allow:\n\np2.allow:\n")


@test
def with_a_stamp_the_rule_is_for_the_stamp():
    project()
    passes("p1.allow", "--depfile", "p1.d", "--stamp", "p1.stamp")
    equal(text("p1.d").split(":")[0], "p1.stamp")
    equal(text("p1.stamp"), "")


@test
def both_are_written_by_each_run_though_nothing_changes():
    project()
    passes("p1.allow", "--depfile", "p1.d", "--stamp", "p1.stamp")
    before = text("p1.d")
    for path in ("p1.d", "p1.stamp", "generated/p1.h"):
        os.utime(path, (1000000000, 1000000000))
    passes("-q", "p1.allow", "--depfile", "p1.d", "--stamp", "p1.stamp")
    equal([os.stat(path).st_mtime == 1000000000 for path in ("p1.d", "p1.stamp", "generated/p1.h")],
          [False, False, True])
    equal(text("p1.d"), before)


@test
def an_error_and_a_run_that_only_looks_write_neither():
    project()
    passes("p1.allow", "-n", "--depfile", "p1.d", "--stamp", "p1.stamp")
    passes("p1.allow", "--list-outputs", "--depfile", "p1.d", "--stamp", "p1.stamp")
    passes("p1.allow")
    passes("p1.allow", "--check", "--depfile", "p1.d", "--stamp", "p1.stamp")
    project("policy p1\nalow\n")
    fails(1, "p1.allow", "--depfile", "p1.d", "--stamp", "p1.stamp")
    equal((Path("p1.d").exists(), Path("p1.stamp").exists()), (False, False))


@test
def a_stamp_that_cannot_be_written_is_trouble():
    project()
    equal(fails(2, "p1.allow", "--stamp", "no/p1.stamp"),
          "allowc: cannot write 'no/p1.stamp': No such file or directory\n")
    os.mkfifo("pipe")
    equal(fails(2, "p1.allow", "--stamp", "pipe"), "allowc: cannot write 'pipe': No such device\n")


@test
def no_input_and_no_artifact_is_overwritten():
    project()
    os.link("p1.allow", "other")
    for option in ("--depfile", "--stamp"):
        for path, what in (("p1.allow", "a file that this run reads"), ("other", "a file that this run reads"),
                           ("generated/p1.h", "an artifact")):
            equal(fails(2, "p1.allow", option, path), f"allowc: {option}: '{path}' is {what}; give another name\n")
    equal(text("p1.allow"), tap.POLICY)
    equal(Path("generated").exists(), False)


@test
def nor_an_artifact_that_the_run_has_just_made():
    for path in ("./generated/p1.h", "generated//p1.h", f"{os.getcwd()}/generated/p1.h"):
        for option in ("--depfile", "--stamp"):
            project()
            equal(fails(2, "p1.allow", option, path),
                  f"allowc: {option}: '{path}' is an artifact; give another name\n")
            equal(text("generated/p1.h").startswith("/* Generated by allowc"), True)
            shutil.rmtree("generated")


@test
@needs("make")
def make_runs_again_for_each_input_and_else_does_not():
    layered()
    Path("Makefile").write_text(
        f"p1.stamp:\n\t@echo ran; {suite.ALLOWC} -q -Wno-adr-unchecked p1.allow --depfile p1.d --stamp p1.stamp\n"
        "-include p1.d\n", encoding="utf-8")
    equal(run("make"), "ran\n")
    equal("ran" in run("make"), False)
    for path in INPUTS:
        os.utime("p1.stamp", (1000000000, 1000000000))
        for other in INPUTS:
            stamp = 1500000000 if other == path else 500000000
            os.utime(other, (stamp, stamp))
        equal(run("make"), "ran\n", path)
        equal("ran" in run("make"), False, path)


@test
@needs("make")
def make_sets_no_variable_from_a_name():
    for name in ("a=b", "=b", "a:=b", "a!=b"):
        for policy, lower in ((name, "low"), ("top", name)):
            Path("p.stamp").unlink(missing_ok=True)
            Path(f"{lower}.allow").write_text("policy lower\n", encoding="utf-8")
            Path(f"{policy}.allow").write_text(f'policy p1\nextends "{lower}.allow"\n', encoding="utf-8")
            command = f"{suite.ALLOWC} -q -Wno-adr-unchecked --depfile p.d --stamp p.stamp -- '{policy}.allow'"
            Path("Makefile").write_text(f"p.stamp:\n\t@echo ran; {command}\n-include p.d\n", encoding="utf-8")
            equal(run("make"), "ran\n", name)
            for path in (f"{policy}.allow", f"{lower}.allow"):
                equal("ran" in run("make"), False, name)
                os.utime("p.stamp", (1000000000, 1000000000))
                equal(run("make"), "ran\n", path)


@test
@needs("ninja")
def ninja_reads_a_first_name_with_an_equals_sign():
    Path("a=b.allow").write_text("policy p1\n", encoding="utf-8")
    Path("build.ninja").write_text(
        "rule allowc\n"
        f"  command = {suite.ALLOWC} -q -Wno-adr-unchecked --depfile p.d --stamp p.stamp a=b.allow\n"
        "  depfile = p.d\n  deps = gcc\nbuild p.stamp: allowc\n", encoding="utf-8")
    run("ninja")
    nothing = "ninja: no work to do.\n"
    equal(run("ninja"), nothing)
    suite.tick()
    os.utime("a=b.allow")
    equal(run("ninja") == nothing, False)
    equal(run("ninja"), nothing)


@test
def a_name_without_a_form_is_refused_before_anything_is_written():
    for name in ("semi;colon", "bar|", "~root", "a\\#b", "a\\:b", "p[1]", "q\\*"):
        project(name=f"{name}.allow")
        equal(fails(2, f"{name}.allow", "--depfile", "p1.d", "--stamp", "p1.stamp"),
              f"allowc: --depfile: no rule can name '{name}.allow'\n")
        equal((Path("p1.d").exists(), Path("p1.stamp").exists(), Path("generated").exists()), (False, False, False))
    for name in ("a(b)", "$(x)", "a&"):
        project(name=name)
        equal(fails(2, name, "--depfile", "p1.d", "--stamp", "p1.stamp"),
              f"allowc: --depfile: no rule can name '{name}'\n")
        equal(Path("p1.d").exists(), False)


@test
@needs("make")
def make_takes_parentheses_that_name_no_archive():
    for name in ("(b)", "a(b)c", "a)"):
        Path(name).write_text("policy p1\n", encoding="utf-8")
        passes("-q", "-Wno-adr-unchecked", "--depfile", "p.d", "--stamp", "p.stamp", name)
        os.utime("p.stamp", (1000000000, 1000000000))
        Path("Makefile").write_text("p.stamp:\n\t@echo ran\ninclude p.d\n", encoding="utf-8")
        equal(run("make"), "ran\n", name)


@test
@needs("make")
def make_goes_on_where_an_input_is_gone():
    project()
    Path("Makefile").write_text(f"p1.stamp:\n\t{suite.ALLOWC} -q p1.allow --depfile p1.d --stamp p1.stamp\n"
                                "-include p1.d\n", encoding="utf-8")
    run("make")
    os.rename("adr/0001-tools.md", "adr/0001-renamed.md")
    run("make")
    equal("adr/0001-renamed.md:" in text("p1.d"), True)


@test
@needs("ninja")
def ninja_runs_again_for_each_input_and_else_does_not():
    layered()
    Path("build.ninja").write_text(
        "rule allowc\n"
        f"  command = {suite.ALLOWC} -q -Wno-adr-unchecked p1.allow --depfile p1.d --stamp p1.stamp\n"
        "  depfile = p1.d\n  deps = gcc\nbuild p1.stamp: allowc\n", encoding="utf-8")
    run("ninja")
    nothing = "ninja: no work to do.\n"
    equal(run("ninja"), nothing)
    for path in INPUTS:
        suite.tick()
        os.utime(path)
        equal(run("ninja") == nothing, False, path)
        equal(run("ninja"), nothing, path)


tap.main()
