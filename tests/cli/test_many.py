#!/usr/bin/env python3
"""Many policies in one run: each is told as if it were alone, and what they have in common once."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap  # noqa: E402
from tap import allowc, contains, equal, fails, needs, passes, test  # noqa: E402

MANY = 300  # enough for every worker to have some
ADR = "# {0}. Tools\n\n## Status\n\nAccepted\n\n## Decision\n\n`tool{0}` may run.\n"


def project(count=MANY, shared=""):
    """Policies above one layer, each with a row and an ADR of its own."""
    Path("adr").mkdir()
    Path("base.allow").write_text(f'policy base\ndecisions app "adr"\nallow tool0  adr app/0  because "base"\n{shared}')
    for number in range(count):
        Path(f"adr/{number:04d}-tools.md").write_text(ADR.format(number))
        if number:
            Path(f"p{number:03d}.allow").write_text(
                f'policy p{number:03d}\nextends base\n\nallow tool{number}  adr app/{number}  because "part {number}"\n'
            )
    return sorted(name for name in os.listdir(".") if re.fullmatch(r"p\d+\.allow", name))


def alone(names):
    """What the runs say that check one policy each."""
    runs = [allowc("check", name) for name in names]
    return "".join(run.stdout for run in runs), "".join(run.stderr for run in runs)


@test
def many_say_what_each_says_alone():
    names = project()
    told, complaints = alone(names[:3] + names[150:153] + names[-3:])
    equal(complaints, "")
    out = passes("check", *names).stdout.splitlines()
    equal(len(out), len(names))
    equal("\n".join(out[:3] + out[150:153] + out[-3:]) + "\n", told)


@test
def a_mistake_in_a_layer_of_all_is_told_once():
    names = project(shared='allow nothing  adr app/1  because "no ADR names it"\n')
    done = allowc("check", *names)
    equal(done.returncode, 0)
    equal(len(done.stdout.splitlines()), len(names))
    equal(done.stderr, alone(names[:1])[1])
    contains(done.stderr, "[-Wadr-silent]")


BROKEN = 'allow tool1  adr app/1  becuase "misspelt"\n'
TOLD_IN_FIRST = """\
base.allow:4:25: error: unknown attribute 'becuase' [syntax]
    4 | allow tool1  adr app/1  becuase "misspelt"
      |                         ^~~~~~~
base.allow:4:25: help: did you mean 'because'?
p001.allow:2:9: note: base.allow is brought in here
    2 | extends base
      |         ^~~~
"""
REJECTED = "allowc: '{}' is rejected for what is told above\n"
NO_WORKER = ("strace", "-qq", "-o", "/dev/null", "-e", "inject=clone,clone3,fork,vfork:error=EAGAIN")


@test
def an_error_in_a_layer_of_all_is_told_once_and_names_each():
    names = project(shared=BROKEN)
    error = fails(1, "check", *names)
    equal(error, TOLD_IN_FIRST + "".join(map(REJECTED.format, names[1:])))
    equal(fails(1, "check", *names), error)


@test
@needs("strace")
def those_that_are_rejected_are_named_in_order_without_workers_too():
    names = project(shared=BROKEN)
    equal(fails(1, "check", *names, before=NO_WORKER), TOLD_IN_FIRST + "".join(map(REJECTED.format, names[1:])))


@test
def one_with_a_mistake_of_its_own_is_named_by_that_alone():
    project(count=4, shared=BROKEN)
    Path("p002.allow").write_text('policy p002\nextends base\n\nallow tool2  adr app/2  becuase "mine"\n')
    Path("p003.allow").write_text('policy p003\nextends base\n\nallow tool3  adr app/3\n')
    error = fails(1, "check", "p001.allow", "p002.allow", "p003.allow")
    equal(error.splitlines()[7:], [
        "p002.allow:4:25: error: unknown attribute 'becuase' [syntax]",
        '    4 | allow tool2  adr app/2  becuase "mine"',
        "      |                         ^~~~~~~",
        "p002.allow:4:25: help: did you mean 'because'?",
        "p003.allow:4:7: warning: 'allow tool3' does not say why [-Wreason]",
        "    4 | allow tool3  adr app/3",
        "      |       ^~~~~",
        "p003.allow:4:7: help: add the reason: because \"…\"",
        "allowc: 'p003.allow' is rejected for what is told above",
    ])  # fmt: skip


@test
def several_that_write_name_those_that_are_rejected():
    names = project(count=4, shared=BROKEN)
    equal(fails(1, "-o", "out", *names), TOLD_IN_FIRST + "".join(map(REJECTED.format, names[1:])))
    equal(Path("out").exists(), False)


@test
def trouble_with_a_layer_of_all_is_told_once_and_names_each():
    project(count=4)
    os.truncate("base.allow", 1 << 27)
    error = fails(2, "check", "p001.allow", "p002.allow", "gone.allow", "gone.allow", "-",
                  input="policy input\nextends base\n")  # fmt: skip
    equal(error, """\
allowc: cannot read 'base.allow': it is larger than 64 MiB
allowc: 'p001.allow' is stopped by the trouble told above
allowc: 'p002.allow' is stopped by the trouble told above
allowc: cannot read 'gone.allow': No such file or directory
allowc: '<stdin>' is stopped by the trouble told above
""")


@test
def programs_are_told_which_are_rejected():
    project(count=4, shared=BROKEN)
    names = ("p001.allow", "p002.allow")
    found = json.loads(fails(1, "check", "--diagnostics", "json", *names))
    equal(found[1:], [{"severity": "note", "message": "'p002.allow' is rejected for what is told above",
                       "file": "p002.allow"}])  # fmt: skip
    equal(found[0]["notes"][0]["file"], "p001.allow")
    equal(fails(1, "check", "--diagnostics", "github", *names), """\
::error file=base.allow,line=4,col=25,title=syntax::unknown attribute 'becuase'%0Adid you mean 'because'?\
%0Ap001.allow:2: base.allow is brought in here
::notice file=p002.allow::'p002.allow' is rejected for what is told above
""")


@test
def how_many_are_not_shown_is_told_once():
    names = project(shared="".join(f'allow n{i}  adr app/1  because "no ADR names it"\n' for i in range(25)))
    done = allowc("check", *names)
    equal(done.returncode, 0)
    equal(done.stderr.count("not shown"), 1)


@test
def how_many_are_not_shown_is_told_of_each_that_shows_others():
    names = project(count=3)
    for name in names:
        rows = "".join(f'allow n{i}  adr app/1  because "no ADR names it"\n' for i in range(25))
        Path(name).write_text(f"policy {name[:4]}\nextends base\n{rows}")
    done = allowc("check", *names)
    equal((done.returncode, done.stderr.count("5 more warnings not shown")), (0, 2))


@test
def what_is_wrong_in_one_is_told_in_its_place():
    names = project()
    for bad in (names[5], names[200], names[-1]):
        Path(bad).write_text(Path(bad).read_text().replace("allow tool", "allow t00l"))
    done = allowc("check", *names)
    equal(done.returncode, 0)
    equal(re.findall(r"^(p\d+\.allow):4:\d+: warning", done.stderr, re.MULTILINE), [names[5], names[200], names[-1]])
    equal(len(done.stdout.splitlines()), len(names))


@test
def json_is_one_list():
    names = project(shared='allow nothing  adr app/1  because "no ADR names it"\n')
    Path(names[250]).write_text("policy x\nallow\n")
    done = allowc("check", "--diagnostics", "json", *names)
    equal(done.returncode, 1)
    equal([item["severity"] for item in json.loads(done.stderr)], ["warning", "error"])


@test
def one_that_is_not_there_is_trouble_and_the_others_are_checked():
    names = project()
    done = allowc("check", *names, "gone.allow")
    equal(done.returncode, 2)
    equal(done.stderr, "allowc: cannot read 'gone.allow': No such file or directory\n")
    equal(len(done.stdout.splitlines()), len(names))


@test
def standard_input_is_read_by_the_run_itself():
    names = project()
    text = 'policy input\nextends base\nallow tool7  adr app/7  because "by hand"\n'
    done = allowc("check", *names, "-", input=text)
    equal((done.returncode, done.stderr), (0, ""))
    contains(done.stdout.splitlines()[-1], "input: 2 commands allowed")


@test
def a_file_called_like_standard_input_changes_nothing():
    names = project()
    text = 'policy input\nextends base\nallow nothing  adr app/7  because "by hand"\n'
    told = allowc("check", *names, "-", input=text)
    Path("-").write_text(text)
    done = allowc("check", *names, "-", input=text)
    equal((done.returncode, done.stdout, done.stderr), (told.returncode, told.stdout, told.stderr))
    equal(re.findall(r"^(\S+): warning", done.stderr, re.MULTILINE), ["<stdin>:3:7"])


@test
def a_pipe_among_the_arguments_is_no_layer():
    project(count=2)
    os.mkfifo("pipe.allow")
    Path("above.allow").write_text("policy above\nextends pipe\n")
    with subprocess.Popen(["sh", "-c", "cat base.allow >pipe.allow"]):
        done = allowc("check", "pipe.allow", "above.allow")
    equal((done.returncode, done.stdout), (1, "base: 1 command allowed, 0 forbidden\n"))
    contains(done.stderr, "above.allow:2:9: error: the layer 'pipe.allow' is no regular file [layer]\n")


@test
def rows_that_fail_one_expectation_of_a_layer_are_each_told():
    project(count=3, shared="expect unlisted tool1, tool2\n")
    done = allowc("check", "p001.allow", "p002.allow", "p001.allow")
    equal((done.returncode, done.stdout), (1, ""))
    equal(done.stderr.count("base.allow:4:"), 4)
    Path("same.allow").write_text(
        'policy same\nextends base\n\n\nallow tool1  adr app/1  because "as p001 does"\n'
    )
    done = allowc("check", "p001.allow", "same.allow", "p001.allow")
    equal(re.findall(r"^(\S+): note: this row", done.stderr, re.MULTILINE), ["p001.allow:4:7", "same.allow:5:7"])


@test
def several_that_write_tell_a_common_mistake_once():
    names = project(count=4, shared='allow nothing  adr app/1  because "no ADR names it"\n')
    done = allowc("-q", "-o", "out", *names)
    equal(done.returncode, 0)
    equal(done.stderr, alone(names[:1])[1])


# ---- each is read once ----


def opened(pattern):
    return re.findall(pattern, Path("trace").read_text())


@test
@needs("strace")
def each_text_is_read_once_by_each_process():
    names = project()
    passes("check", *names, before=("strace", "-f", "-qq", "-e", "trace=openat,clone,clone3,fork", "-o", "trace"))
    processes = {line.split()[0] for line in Path("trace").read_text().splitlines()}
    for what in ('"base.allow"', '"adr"', '"adr/0000-tools.md"'):
        found = len(opened(rf"openat\(.*{re.escape(what)}"))
        if not 1 <= found <= len(processes):
            raise AssertionError(f"{what} is opened {found} times by {len(processes)} processes")
    equal(len(opened(r'openat\(.*"adr/0123-tools\.md"')), 1)


@test
@needs("strace")
def what_a_worker_did_is_not_done_again_for_json():
    names = project()
    trace = ("strace", "-f", "-qq", "-e", "trace=openat", "-o", "trace")
    equal(allowc("check", "--diagnostics", "json", *names, before=trace).stderr, "[]\n")
    equal(len(opened(r'openat\(.*"p\d+\.allow"')), len(names))


@test
@needs("strace")
def without_workers_the_run_does_it_all():
    names = project()
    told = passes("check", *names).stdout
    for fault in ("clone,clone3,fork,vfork:error=EAGAIN", "pipe2:error=EMFILE"):
        done = allowc("check", *names, before=("strace", "-qq", "-o", "/dev/null", "-e", f"inject={fault}"))
        equal((done.returncode, done.stderr, done.stdout), (0, "", told), fault)


if __name__ == "__main__":
    tap.main()
