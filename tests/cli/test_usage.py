#!/usr/bin/env python3
"""Exit statuses, usage errors, help, standard input and output."""

import os
import socket
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap  # noqa: E402
from tap import allowc, contains, equal, fails, passes, project, test  # noqa: E402

BUILT = ["", "sync", "check", "list"]


def command(name):
    return [name] if name else []


@test
def exit_0_for_a_good_policy():
    project()
    passes("p1.allow")
    passes("check", "p1.allow")
    passes("list", "p1.allow")


@test
def exit_1_for_a_rejected_policy_and_nothing_is_written():
    project("policy p1\nalow git  adr 0001\n")
    contains(fails(1, "p1.allow"), "p1.allow:2:1: error: ")
    fails(1, "check", "p1.allow")
    fails(1, "list", "p1.allow")
    equal(os.path.exists("generated"), False)


@test
def exit_2_for_a_policy_that_is_not_there():
    for name in BUILT:
        error = fails(2, *command(name), "./missing.allow")
        contains(error, "./missing.allow")
        contains(error, "No such file or directory")


@test
def exit_2_for_a_folder_instead_of_a_policy():
    os.mkdir("folder")
    contains(fails(2, "./folder"), "./folder")


@test
def exit_2_for_what_is_neither_a_file_nor_a_pipe():
    with socket.socket(socket.AF_UNIX) as door:
        door.bind("door")
        for name in BUILT:
            equal(fails(2, *command(name), "./door"), "allowc: cannot read './door': Neither a file nor a pipe\n")


@test
def the_worst_of_several_policies_decides():
    project()
    Path("p2.allow").write_text("policy p2\nalow git adr 0001\n", encoding="utf-8")
    done = allowc("p1.allow", "p2.allow")
    equal(done.returncode, 1)
    equal((done.stdout, os.path.exists("generated")), ("", False))
    contains(allowc("check", "p1.allow", "p2.allow").stdout, "p1: 3 commands allowed")
    equal(allowc("check", "p2.allow", "missing.allow", "p1.allow").returncode, 2)


@test
def nothing_is_written_where_one_policy_is_not_there():
    project()
    contains(fails(2, "p1.allow", "./missing.allow"), "'./missing.allow'")
    equal(os.path.exists("generated"), False)


@test
def a_command_after_options_is_refused():
    project()
    for arguments in (["-q", "check"], ["-o", "list", "check"], ["-qn", "check", "-o", "x"]):
        equal(fails(2, *arguments, "p1.allow"),
              "allowc: 'check' is a command, so it comes first: 'allowc check [options] POLICY...'\n"
              "Try 'allowc --help'.\n")
    equal(sorted(os.listdir(".")), ["adr", "p1.allow"])
    project(name="check")
    contains(fails(2, "-q", "check"), "; the file of that name is ./check\n")
    passes("-q", "--", "check")


@test
def a_policy_without_its_suffix_gets_a_hint():
    os.mkdir("policies")
    project(name="policies/deploy.allow")
    equal(fails(2, "policies/deploy"),
          "allowc: there is no command and no file 'policies/deploy'; did you mean the file "
          "'policies/deploy.allow'?\nTry 'allowc --help'.\n")


@test
def the_summary_credits_capabilities_only_with_their_own():
    project(tap.CHANGED + 'forbid syscall kexec_load  adr 0001  because "no"\n')
    equal(allowc("check", "p1.allow").stdout,
          "p1: 3 commands allowed, 1 forbidden; CAP_SYS_PTRACE forbidden; 7 system calls denied\n")


@test
def two_policies_of_one_name_are_refused():
    project()
    Path("again.allow").write_text(tap.POLICY, encoding="utf-8")
    done = allowc("p1.allow", "again.allow")
    equal(done.returncode, 2)
    contains(done.stderr, "'p1.allow' and 'again.allow' are both policy 'p1'")


@test
def usage_errors_are_one_line_and_a_hint():
    project()
    cases = [
        ([], "allowc: no policy is named\nTry 'allowc --help'.\n"),
        (["check"], "allowc: no policy is named\nTry 'allowc check --help'.\n"),
        (["--emitt", "x", "p1.allow"],
         "allowc: there is no option '--emitt' here; did you mean '--emit'?\nTry 'allowc --help'.\n"),
        (["-x", "p1.allow"], "allowc: there is no option '-x' here\nTry 'allowc --help'.\n"),
        (["-xh", "p1.allow"], "allowc: there is no option '-x' here\nTry 'allowc --help'.\n"),
        (["-check", "p1.allow"],
         "allowc: there is no option '-check' here; did you mean '--check'?\nTry 'allowc --help'.\n"),
        (["list", "-check", "p1.allow"], "allowc: there is no option '-c' here\nTry 'allowc list --help'.\n"),
        (["p1.allow", "-x", "-xcheck"], "allowc: there is no option '-x' here\nTry 'allowc --help'.\n"),
        (["p1.allow", "--emit"], "allowc: --emit needs a value: LIST\nTry 'allowc --help'.\n"),
        (["--quiet=yes", "p1.allow"], "allowc: --quiet takes no value\nTry 'allowc --help'.\n"),
        (["--emit", "jsn", "p1.allow"],
         "allowc: --emit: there is no artifact 'jsn'; did you mean 'json'?\nTry 'allowc --help'.\n"),
        (["--emit", "json,,bpf", "p1.allow"],
         "allowc: --emit: an empty name in the list\nTry 'allowc --help'.\n"),
        (["--max-errors", "-1", "p1.allow"],
         "allowc: --max-errors cannot be '-1'; it is a number, 0 for no limit\nTry 'allowc --help'.\n"),
        (["--today", "2026-02-29", "p1.allow"],
         "allowc: --today cannot be '2026-02-29'; there is no such day\nTry 'allowc --help'.\n"),
        (["--today", "tomorrow", "p1.allow"],
         "allowc: --today cannot be 'tomorrow'; it is a date, YYYY-MM-DD\nTry 'allowc --help'.\n"),
        (["--color", "allways", "p1.allow"],
         "allowc: --color cannot be 'allways'; did you mean 'always'?\nTry 'allowc --help'.\n"),
        (["--diagnostics", "xml", "p1.allow"],
         "allowc: --diagnostics cannot be 'xml'; it is 'text', 'json' or 'github'\nTry 'allowc --help'.\n"),
        (["-Wno-adr-slient", "p1.allow"],
         "allowc: -Wno-adr-slient: unknown diagnostic 'adr-slient'; did you mean 'adr-silent'?\n"
         "Try 'allowc --help'.\n"),
        (["--output=", "p1.allow"],
         "allowc: -o, --output: the name of the folder is empty\nTry 'allowc --help'.\n"),
        (["-", "-"], "allowc: standard input ('-') can be read only once\nTry 'allowc --help'.\n"),
        (["check", "-o", "x", "p1.allow"],
         "allowc: there is no option '-o' here\nTry 'allowc check --help'.\n"),
        (["list", "p1.allow", "p1.allow"],
         "allowc: one policy at a time can be listed\nTry 'allowc list --help'.\n"),
        (["list", "--forbidden", "--declined", "p1.allow"],
         "allowc: --forbidden and --declined exclude each other\nTry 'allowc list --help'.\n"),
        (["list", "--role", "a", "--layer", "b", "p1.allow"],
         "allowc: only one of --layer, --plugin, --role and --adr can be given, once\n"
         "Try 'allowc list --help'.\n"),
    ]
    for arguments, wanted in cases:
        equal(fails(2, *arguments), wanted, arguments)
    equal(os.path.exists("generated"), False)


@test
def a_misspelt_command_gets_a_suggestion():
    equal(fails(2, "chekc", "p1.allow"),
          "allowc: there is no command and no file 'chekc'; did you mean 'check'?\nTry 'allowc --help'.\n")
    for word, told in (("compile", "'allowc POLICY' compiles"), ("format", "'allowc fmt' does that"),
                       ("help", "'allowc --help' helps"), ("lint", "'allowc check' checks"),
                       ("version", "'allowc --version' tells")):
        equal(fails(2, word), f"allowc: there is no command and no file '{word}'; {told}\n"
              "Try 'allowc --help'.\n")


@test
def a_file_called_like_a_command_is_reached_with_a_folder():
    project(name="check")
    passes("./check")
    contains(fails(2, "check"), "no policy is named")


@test
def help_goes_to_standard_output():
    for name in BUILT:
        for arguments in (["--help"], ["-h"], ["-q", "--help"], ["./x", "--help"]):
            if name != "list" or "-q" not in arguments:
                contains(passes(*command(name), *arguments).stdout, "Options:\n")
    whole = passes("--help").stdout
    for name in BUILT[1:]:
        contains(whole, f"\nallowc {name}")


@test
def version_is_one_line():
    version = passes("--version").stdout
    contains(version, "allowc ")
    equal(version.count("\n"), 1)
    equal(passes("check", "--version").stdout, version)
    equal(passes("adr", "--version").stdout, version)


@test
def options_stand_anywhere_whatever_posixly_correct_says():
    project()
    for arguments in (["p1.allow", "-q", "-o", "out"], ["-qo", "out", "p1.allow"], ["-qoout", "--", "p1.allow"]):
        equal(passes(*arguments, env=tap.environment(POSIXLY_CORRECT="1")).stdout, "")
    equal(os.path.exists("generated"), False)


@test
def two_dashes_end_the_options():
    project(name="-n")
    passes("-q", "--", "-n")
    equal(os.path.exists("generated/p1.h"), True)


@test
def a_dash_is_standard_input():
    project()
    done = passes("-", input=tap.POLICY)
    contains(done.stdout, "p1: 3 commands allowed, 0 forbidden")
    equal(os.path.exists("generated/p1.h"), True)
    equal(passes("list", "-", input=tap.POLICY).stdout, "git\ndocker\ndocker buildx\n")
    equal(allowc("check", "-", input="policy p1\nalow git adr 1\n").returncode, 1)


@test
def the_summary_counts():
    project(tap.CHANGED)
    first = passes("check", "p1.allow").stdout
    equal(first, "p1: 3 commands allowed, 1 forbidden; CAP_SYS_PTRACE forbidden (6 system calls denied)\n")
    equal(passes("check", "-q", "p1.allow").stdout, "")
    project('policy p1\ndecisions "adr"\nallow git adr 1 because "x"\n')
    equal(passes("check", "p1.allow").stdout, "p1: 1 command allowed, 0 forbidden\n")


@test
def a_full_standard_output_is_trouble():
    project()
    for arguments in (["p1.allow"], ["check", "p1.allow"], ["list", "p1.allow"], ["--help"], ["diff", "--help"],
                      ["--version"], ["--list-outputs", "p1.allow"]):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = allowc(*arguments, stdout=full)
        equal((done.returncode, done.stderr),
              (2, "allowc: cannot write to standard output: No space left on device\n"), arguments)
    equal(passes("-q", "p1.allow").stdout, "")


@test
@tap.needs("strace")
def a_closed_stream_that_nothing_can_stand_in_for_is_trouble():
    project()
    refused = ["strace", "-qq", "-o", "/dev/null", "-P", "/dev/null", "-e", "inject=openat:error=EMFILE"]
    done = allowc("-q", "p1.allow", before=[*refused, "sh", "-c", 'exec "$0" "$@" <&-'])
    equal((done.returncode, done.stderr, os.path.exists("generated")),
          (2, "allowc: cannot open '/dev/null' in place of a closed stream: Too many open files\n", False))


@test
def a_closed_standard_output_is_trouble_and_damages_nothing():
    project()
    shell = '"$ALLOWC" p1.allow >&-'
    done = subprocess.run(["sh", "-c", shell], stderr=subprocess.PIPE, text=True, check=False)
    equal((done.returncode, done.stderr), (2, "allowc: cannot write to standard output: Bad file descriptor\n"))
    before = tap.snapshot()
    equal(passes("p1.allow").stdout.count("unchanged"), len([1 for text in before.values() if text is not None]))
    done = subprocess.run(["sh", "-c", '"$ALLOWC" -q p1.allow <&- >&- 2>&-'], check=False)
    equal(done.returncode, 0)
    equal(tap.snapshot(), before)


@test
def a_reader_that_goes_away_ends_the_program_quietly():
    project()
    done = subprocess.run(["sh", "-c", '"$ALLOWC" list p1.allow | true'], stderr=subprocess.PIPE, text=True,
                          check=False)
    equal(done.stderr, "")


@test
def colour_follows_the_environment_then_the_option():
    project("policy p1\nalow git adr 1\n")
    for variables, option, wanted in [
        ({}, "auto", False), ({}, "always", True), ({}, "never", False),
        ({"CLICOLOR_FORCE": "1"}, "never", True), ({"CLICOLOR_FORCE": "0"}, "always", True),
        ({"NO_COLOR": "1"}, "always", False), ({"NO_COLOR": ""}, "always", True),
        ({"NO_COLOR": "1", "CLICOLOR_FORCE": "1"}, "auto", False),
    ]:
        done = allowc("check", "--color", option, "p1.allow", env=tap.environment(**variables))
        equal("\33[" in done.stderr, wanted, (variables, option))


@test
def diagnostics_come_in_three_formats():
    project("policy p1\nalow git adr 1\n")
    contains(fails(1, "check", "--diagnostics", "github", "p1.allow"), "::error file=p1.allow,line=2,col=1,")
    error = fails(1, "check", "--diagnostics=json", "p1.allow")
    contains(error, '[{"severity": "error", "name": ')
    contains(error, '"file": "p1.allow", "line": 2, "column": 1,')
    project()
    equal(allowc("check", "--diagnostics=json", "p1.allow").stderr, "[]\n")


@test
def only_the_command_line_reads_a_pipe():
    project()
    os.mkfifo("pipe.allow")
    for line, what in (('extends "pipe.allow"', "layer"), ('use "pipe.allow"', "library")):
        Path("q1.allow").write_text(f"policy q1\n{line}\n", encoding="utf-8")
        contains(fails(1, "check", "q1.allow"), f"the {what} 'pipe.allow' is no regular file")
    for line, what in (('extends "-"', "layer"), ('use "-"', "library")):
        Path("q1.allow").write_text(f"policy q1\n{line}\n", encoding="utf-8")
        contains(fails(1, "check", "q1.allow", input=tap.POLICY), f"the {what} '-' is not there")
    done = subprocess.run(["sh", "-c", 'printf "policy p1\\n" | "$ALLOWC" check /dev/stdin'], check=False)
    equal(done.returncode, 0)
    equal(fails(2, "check", "/dev/zero"), "allowc: cannot read '/dev/zero': it is larger than 64 MiB\n")


@test
def standard_input_gives_a_policy_no_name():
    contains(fails(1, "check", "-", input="allow git\n"), "begin with a line that names it:\n      | policy my-policy\n")


@test
def a_pipe_among_adrs_of_one_number_does_not_block():
    project()
    os.mkfifo("adr/0001-twin.md")
    contains(fails(1, "check", "p1.allow"), "note: 0001-twin.md is one of them")


tap.main()
