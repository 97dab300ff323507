#!/usr/bin/env python3
"""Generators: what they are given, what becomes of their answer, and all that one can do wrong."""

import base64
import json
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import allowc, contains, equal, fails, needs_root, passes, project, snapshot, test  # noqa: E402

HELP = "allowc: help: an answer is {\"files\": [{\"path\": \"…\", \"content\": \"…\"}]} in UTF-8, and nothing else\n"
PATHS = "allowc: help: a generator's paths lead below the output folder, to files of its own\n"


def generator(script, name="x", interpreter="/bin/sh", mode=0o755):
    """A program allowc-gen-NAME in the folder bin, which `where()` has on PATH."""
    path = Path("bin") / f"allowc-gen-{name}"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!{interpreter}\n{script}\n")
    path.chmod(mode)


def where(**changes):
    return tap.environment(PATH=f"{os.getcwd()}/bin:/usr/bin:/bin", **changes)


def answer(*files):
    """A script that answers with these (path, content)."""
    text = json.dumps({"files": [{"path": path, "content": content} for path, content in files]})
    return f"cat >/dev/null; cat <<'END'\n{text}\nEND"


def refused(script, *options, status=1):
    """What is said of a generator that goes wrong; then nothing is there."""
    project()
    generator(script)
    said = fails(status, "--emit", "python,x", *options, "p1.allow", env=where())
    equal(Path("generated").exists(), False)
    return said


def emits(*files, emit="names,x", **options):
    project()
    generator(answer(*files))
    return passes("--emit", emit, "p1.allow", env=where(), **options)


# ---- what it is given ----


@test
def it_reads_the_policy_and_what_was_made_before_it():
    project()
    generator("cat > asked; " + answer(("a", "")).replace("cat >/dev/null; ", ""))
    passes("--emit", "names,bpf,x", "p1.allow", env=where())
    asked = json.loads(Path("asked").read_bytes())
    equal(sorted(asked), ["artifacts", "output", "policy"])
    equal((asked["output"], asked["policy"]["policy"], asked["policy"]["schema"]), (None, "p1", 2))
    bpf, names = asked["artifacts"]
    equal(names, {"path": "p1.names", "content": "git\ndocker\ndocker buildx\n"})
    equal((bpf["path"], base64.b64decode(bpf["base64"])), ("p1.bpf", Path("generated/p1.bpf").read_bytes()))
    passes("--emit", "json", "-o", "o", "p1.allow")
    equal(asked["policy"], json.loads(Path("o/p1.json").read_bytes()))


@test
def one_generator_sees_what_the_one_before_it_made():
    project()
    generator(answer(("a", "of x")))
    generator("cat > asked; " + answer(("b", "of y")).replace("cat >/dev/null; ", ""), "y")
    passes("--emit", "x,y", "p1.allow", env=where())
    equal(json.loads(Path("asked").read_text())["artifacts"], [{"path": "a", "content": "of x"}])


@test
def its_environment_is_clean_and_no_shell_starts_it():
    project()
    generator("cat >/dev/null; env > seen; pwd >> seen; echo $# >> seen; " + answer().split("; ", 1)[1])
    passes("--emit", "x", "p1.allow", env=where(HOME="/h", SECRET="s"))
    seen = Path("seen").read_text().splitlines()
    known = {"LC_ALL=C.UTF-8", f"PATH={os.getcwd()}/bin:/usr/bin:/bin", f"PWD={os.getcwd()}", "OLDPWD", "_=/usr/bin/env"}
    equal([line for line in seen[:-2] if line not in known], [])
    equal(seen[-2:], [os.getcwd(), "0"])


@test
def it_has_no_terminal_and_is_a_group_of_its_own():
    project()
    generator("cat >/dev/null; ps -o pid=,pgid=,sid=,tty= -p $$ > seen; " + answer().split("; ", 1)[1])
    suite.need("ps")
    passes("--emit", "x", "p1.allow", env=where())
    pid, group, session, terminal = Path("seen").read_text().split()
    equal((group, session, terminal), (pid, pid, "?"))


# ---- where it is looked for ----


@test
def it_is_found_in_absolute_folders_of_path_alone():
    project()
    generator(answer())
    for path in (".", "", "bin", ":/usr/bin", "./bin:/usr/bin"):
        said = fails(2, "--emit", "x", "p1.allow", env=tap.environment(PATH=path), cwd=".")
        contains(said, "allowc: --emit: there is no artifact 'x', nor 'allowc-gen-x' on PATH; there are c-header, ")
    os.chdir("bin")
    fails(2, "--emit", "x", "../p1.allow", env=tap.environment(PATH=".:/usr/bin"))


@test
def a_name_leads_into_no_other_folder():
    project()
    generator(answer())
    Path("bin/allowc-gen-").mkdir()
    Path("bin/evil").write_text("#!/bin/sh\ntouch here\n")
    Path("bin/evil").chmod(0o755)
    for name in ("/../evil", "../evil", "X", "x ", "-x", "1"):
        fails(2, "--emit", name, "p1.allow", env=where())
    equal(Path("here").exists(), False)


@test
def one_that_may_not_be_run_is_passed_over_for_one_that_may():
    project()
    generator(answer(), mode=0o644)
    said = fails(2, "--emit", "x", "p1.allow", env=where())
    equal(said, "allowc: --emit: 'allowc-gen-x' is on PATH, and may not be run\nTry 'allowc --help'.\n")
    Path("more").mkdir()
    Path("bin/allowc-gen-x").rename("more/kept")
    generator(answer(("a", "")))
    Path("bin/allowc-gen-x").rename("more/allowc-gen-x")
    generator(answer(), mode=0o644)
    path = f"{os.getcwd()}/bin:{os.getcwd()}/more:/usr/bin:/bin"
    passes("--emit", "x", "p1.allow", env=tap.environment(PATH=path))


@test
def a_folder_of_its_name_is_no_program():
    project()
    Path("bin/allowc-gen-x").mkdir(parents=True)
    contains(fails(2, "--emit", "x", "p1.allow", env=where()), "nor 'allowc-gen-x' on PATH")


@test
def one_without_an_interpreter_is_trouble():
    project()
    generator("", interpreter="/no/such")
    said = fails(2, "--emit", "x", "p1.allow", env=where())
    equal(said, f"allowc: cannot run '{os.getcwd()}/bin/allowc-gen-x': No such file or directory\n")
    Path("bin/allowc-gen-x").write_text("no program\n")
    said = fails(2, "--emit", "x", "p1.allow", env=where())
    equal(said, f"allowc: cannot run '{os.getcwd()}/bin/allowc-gen-x': Exec format error\n")


# ---- what becomes of its answer ----


@test
def its_files_join_the_others():
    done = emits(("a.ts", "1\n"), ("sub/b é", "2"))
    contains(done.stdout, "  written    generated/p1.names\n  written    generated/a.ts\n"
             "  written    generated/sub/b é\n  written    generated/p1.sha256\n")
    equal((Path("generated/a.ts").read_text(), Path("generated/sub/b é").read_text()), ("1\n", "2"))
    equal(snapshot().keys(), {"a.ts", "p1.names", "p1.sha256", "sub", "sub/b é"})
    subprocess.run(["sha256sum", "--strict", "--quiet", "-c", "p1.sha256"], cwd="generated", check=True)
    contains(Path("generated/p1.sha256").read_text(), "\n# by allowc-gen-x: a.ts\n# by allowc-gen-x: sub/b é\n")
    contains(emits(("a.ts", "1\n"), ("sub/b é", "2")).stdout, "  unchanged  generated/a.ts\n")


@test
def an_empty_answer_is_one():
    emits()
    equal(snapshot().keys(), {"p1.names", "p1.sha256"})


@test
def what_it_no_longer_makes_goes_unless_it_was_edited():
    emits(("a", "1"), ("b", "2"), ("c", "3"))
    Path("generated/b").write_text("mine")
    project()
    generator(answer(("c", "3")))
    done = allowc("--emit", "names,x", "p1.allow", env=where())
    contains(done.stdout, "  removed    generated/a\n")
    contains(done.stderr, "allowc: warning: 'generated/b' is no longer produced; it was edited since allowc wrote it")
    equal(snapshot().keys(), {"b", "c", "p1.names", "p1.sha256"})


@test
def what_a_run_does_not_select_stays():
    emits(("a", "1"))
    generator(answer(("b", "2")), "y")
    passes("--emit", "names,y", "p1.allow", env=where())
    passes("--emit", "names", "p1.allow")
    equal(snapshot().keys(), {"a", "b", "p1.names", "p1.sha256"})
    contains(Path("generated/p1.sha256").read_text(), "# by allowc-gen-x: a\n# by allowc-gen-y: b\n")


@test
def a_file_of_somebody_elses_is_not_replaced():
    project()
    Path("generated").mkdir()
    Path("generated/a").write_text("mine")
    generator(answer(("a", "its")))
    said = fails(1, "--emit", "names,x", "p1.allow", env=where())
    contains(said, "allowc: error: 'generated/a' is not allowc's own: it is neither listed in p1.sha256 nor marked "
             "as generated [output]\n")
    equal(snapshot(), {"a": b"mine"})


@test
def an_edited_file_is_not_replaced():
    emits(("a", "1"))
    Path("generated/a").write_text("mine")
    generator(answer(("a", "2")))
    contains(fails(1, "--emit", "names,x", "p1.allow", env=where()), "'generated/a' was edited since allowc wrote it")


@test
def check_runs_those_that_wrote_here_and_shows_what_is_out_of_date():
    emits(("a", "1\n"), ("b", "2\n"))
    equal(passes("--check", "p1.allow", "--emit", "names", env=where()).stdout, "")
    generator(answer(("a", "3\n")))
    done = allowc("--check", "--emit", "names", "p1.allow", env=where())
    equal((done.returncode, done.stderr), (1, ""))
    contains(done.stdout, "  stale      generated/a\n--- generated/a\n+++ generated/a\n@@ -1 +1 @@\n-1\n+3\n")
    contains(done.stdout, "  orphaned   generated/b\n")
    equal(Path("generated/a").read_text(), "1\n")
    Path("bin/allowc-gen-x").unlink()
    equal(fails(1, "--check", "--emit", "names", "p1.allow", env=where()),
          "allowc: error: 'allowc-gen-x' is in no absolute folder of PATH [generator]\n"
          "allowc: note: 'generated/a' is its own\n")


@test
def one_that_is_named_twice_runs_once_in_a_check_too():
    project()
    generator("echo ran >> ran; " + answer(("p1.x", "old")))
    passes("--emit", "x,names,x", "--emit", "+x", "p1.allow", env=where())
    equal(Path("ran").read_text(), "ran\n")
    passes("--check", "--emit", "names,x,x", "p1.allow", env=where())
    equal(Path("ran").read_text(), "ran\nran\n")


@test
def dash_n_says_and_writes_nothing():
    project()
    generator(answer(("a", "1")))
    contains(passes("-n", "--emit", "x", "p1.allow", env=where()).stdout, "  to write   generated/a\n")
    equal(Path("generated").exists(), False)


@test
def list_outputs_asks_it():
    project()
    generator(answer(("a", "1")))
    done = passes("--list-outputs", "--emit", "names,x", "p1.allow", env=where())
    equal(done.stdout, "generated/p1.names\ngenerated/a\ngenerated/p1.sha256\n")
    equal(Path("generated").exists(), False)


@test
def the_depfile_has_its_program():
    project()
    generator(answer(("a", "1")))
    passes("-q", "--emit", "x", "--depfile", "d", "p1.allow", env=where())
    rule = Path("d").read_text().replace("\\\n", " ").split("\n")[0].split(":", 1)
    equal(rule[0].split(), ["generated/a", "generated/p1.sha256"])
    equal(f"{os.getcwd()}/bin/allowc-gen-x" in rule[1].split(), True)


@test
def two_policies_do_not_write_one_path():
    project()
    project(tap.POLICY.replace("policy p1", "policy p2"), "p2.allow")
    generator(answer(("a", "1")))
    said = fails(1, "--emit", "x", "p1.allow", "p2.allow", env=where())
    contains(said, "'generated/a' is an artifact of policy 'p1', and policy 'p2' would replace it [output]")
    equal(Path("generated").exists(), False)


@test
def what_it_says_is_a_warning():
    project()
    generator("echo careful >&2; echo; echo 'and \33[31mred' >&2; " + answer(("a", "1")))
    done = allowc("-q", "--emit", "x", "p1.allow", env=where())
    equal((done.returncode, done.stderr), (0, "allowc: warning: allowc-gen-x: careful [-Wgenerator-says]\n"
                                           "allowc: note: and \\u{1b}[31mred\n"))
    passes("-q", "-Wno-generator-says", "--emit", "x", "p1.allow", env=where())
    fails(1, "-q", "-Werror", "--emit", "x", "p1.allow", env=where())


@test
def it_need_not_read():
    """The question is larger than a pipe, and nobody reads it."""
    rows = "".join(f'allow c{i}  adr 0001  because "x"\n' for i in range(3000))
    project(f'policy p1\n{rows}')
    generator(answer(("a", "1")).replace("cat >/dev/null; ", "exec <&-; "))
    passes("-q", "-Wno-adr-unchecked", "--emit", "x", "p1.allow", env=where())
    generator(answer(("a", "2")).replace("cat >/dev/null; ", ""))
    passes("-q", "-Wno-adr-unchecked", "--emit", "x", "p1.allow", env=where())
    equal(Path("generated/a").read_text(), "2")


@test
def it_may_answer_before_it_reads():
    """Neither waits for the other."""
    project()
    generator("head -c 3000000 /dev/zero | tr '\\0' ' '; " + answer(("a", "1")))
    passes("-q", "--emit", "x", "p1.allow", env=where())


# ---- what it does wrong ----


@test
def an_exit_status():
    equal(refused("echo 'no such row' >&2; echo >&2; echo twice >&2; exit 3"),
          "allowc: error: 'allowc-gen-x' ended with exit status 3 [generator]\n"
          "allowc: note: no such row\nallowc: note: twice\n")


@test
def an_exit_status_after_a_good_answer():
    equal(refused(answer(("a", "1")) + "\nexit 1"), "allowc: error: 'allowc-gen-x' ended with exit status 1 [generator]\n")


@test
def a_signal():
    equal(refused("kill -SEGV $$"), "allowc: error: 'allowc-gen-x' was killed by a signal: Segmentation fault [generator]\n")


@test
def nothing_printed():
    equal(refused("cat >/dev/null"), "allowc: error: 'allowc-gen-x' printed nothing [generator]\n" + HELP)


@test
def no_json():
    equal(refused("echo hello"), "allowc: error: 'allowc-gen-x' printed no JSON: line 1, column 5: "
          "'[' or '{' expected near 'hello' [generator]\n" + HELP)


@test
def half_an_answer():
    equal(refused("printf '{\"files\": [{\"path\": \"a\",'"), "allowc: error: 'allowc-gen-x' printed no JSON: line 1, "
          "column 24: string or '}' expected near end of file [generator]\n" + HELP)


@test
def more_than_an_answer():
    contains(refused(answer(("a", "")) + "\necho more"), "printed no JSON: line 2, column 4: end of file expected near 'more'")


@test
def no_utf_8():
    contains(refused("printf '{\"files\": [{\"path\": \"a\\377\"}]}'"), "printed no JSON: line 1, column 22: unable to decode")


@test
def a_key_twice():
    contains(refused("printf '{\"files\": [], \"files\": []}'"), "printed no JSON: line 1, column 21: duplicate object key")


@test
def json_of_another_form():
    for text in ("{}", "[]", '{"files": {}}', '{"files": null}', '{"artifacts": []}'):
        equal(refused(f"echo '{text}'"),
              "allowc: error: 'allowc-gen-x' answered with JSON that has no list 'files' [generator]\n" + HELP)


@test
def files_of_another_form():
    start = "allowc: error: 'allowc-gen-x' answered with a file, number "
    equal(refused("echo '{\"files\": [{\"path\": \"a\"}, 1]}'"),
          start + "1, that has no text 'content' [generator]\n" + HELP
          + start + "2, that has no text 'path' [generator]\n" + HELP)
    contains(refused("echo '{\"files\": [{\"path\": \"a\", \"content\": 1}]}'"), "has no text 'content'")
    contains(refused("echo '{\"files\": [{\"path\": \"a\", \"content\": \"\\u0000\"}]}'"), "printed no JSON")


@test
def a_gigabyte():
    equal(refused("exec head -c 1000000000 /dev/zero"),
          "allowc: error: 'allowc-gen-x' printed more than 64 MiB, and was killed [generator]\n")


@test
def a_gigabyte_of_complaints():
    """They are cut; the rest of the run is as ever."""
    project()
    generator("yes | head -c 200000000 >&2; " + answer(("a", "1")))
    done = allowc("-q", "--emit", "x", "p1.allow", env=where())
    equal(done.returncode, 0)
    equal(done.stderr, "allowc: warning: allowc-gen-x: y [-Wgenerator-says]\n" + "allowc: note: y\n" * 10
          + "allowc: note: and more\n")


@test
def paths_outside():
    for path in ("../a", "/tmp/a", "a/../../b", "a/..", ".", "", "a//b", "./a", "a/"):
        equal(refused(answer((path, "1"))), f"allowc: error: 'allowc-gen-x' names the file '{path}', which is not inside "
              "the output folder [generator]\n" + PATHS)


@test
def paths_of_others():
    for path, what in (("p1.py", "where the artifact 'python' belongs"),
                       ("p1.h", "where the artifact 'c-header' belongs"),
                       ("plugins/first/plugin.yaml", "where the artifact 'plugin-yaml' belongs"),
                       ("p1.sha256", "a name that allowc keeps for itself"),
                       ("p2.sha256", "a name that allowc keeps for itself"),
                       (".p1.allowc", "a name that allowc keeps for itself"),
                       ("sub/.x.allowc", "a name that allowc keeps for itself")):
        equal(refused(answer((path, "1"))), f"allowc: error: 'allowc-gen-x' names the file '{path}', {what} [generator]\n"
              + PATHS)


@test
def odd_paths():
    contains(refused(answer(("a\nb", "1"))), "names the file 'a\\u{a}b', with a character that no list of files can hold")
    contains(refused(answer(("a\\b", "1"))), "with a character that no list of files can hold")


@test
def a_path_twice():
    contains(refused(answer(("a", "1"), ("a", "1"))), "'allowc-gen-x' names the file 'a', twice [generator]")


@test
def a_path_that_is_a_folder_of_another():
    contains(refused(answer(("c", "1"), ("c/d", "2"))),
             "'allowc-gen-x' names the file 'c/d', below 'c', which is a file [generator]")  # fmt: skip
    contains(refused(answer(("c/d/e", "1"), ("c/d", "2"))),
             "'allowc-gen-x' names the file 'c/d', which is a folder of 'c/d/e' [generator]")  # fmt: skip
    contains(refused(answer(("c/d/e", "1"), ("c", "2"))), "names the file 'c', which is a folder of 'c/d/e' [generator]")


@test
def names_that_only_begin_alike_are_no_folders():
    project()
    generator(answer(("c", "1"), ("cd/e", "2"), ("c-d/e", "3"), ("cd/ef", "4")))
    passes("-q", "--emit", "x", "p1.allow", env=where())


@test
def a_path_of_another_generator():
    project()
    generator(answer(("a", "1")))
    generator(answer(("a", "1")), "y")
    said = fails(1, "--emit", "x,y", "p1.allow", env=where())
    contains(said, "'allowc-gen-y' names the file 'a', which is there already [generator]")


@test
def a_path_through_a_link():
    project()
    Path("generated").mkdir()
    Path("away").mkdir()
    os.symlink("../away", "generated/sub")
    generator(answer(("sub/a", "1")))
    said = fails(1, "--emit", "names,x", "p1.allow", env=where())
    contains(said, "'generated/sub' is a symbolic link: allowc writes only plain files, and does not replace this one")
    equal((list(Path("away").iterdir()), os.listdir("generated")), ([], ["sub"]))


@test
def the_policy_itself():
    project()
    generator(answer(("p1.allow", "policy p1\n")))
    said = fails(1, "-o", ".", "--emit", "x", "p1.allow", env=where())
    contains(said, "the artifact './p1.allow' is a file that this run reads, 'p1.allow' [output]")
    equal(Path("p1.allow").read_text(), tap.POLICY)


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def gone(pid):
    end = time.monotonic() + 60
    while alive(pid):
        if time.monotonic() > end:
            raise AssertionError(f"{pid} still runs")
        time.sleep(0.01)


@test
def no_end():
    equal(refused("exec sleep 600", "--time-limit", "1"),
          "allowc: error: 'allowc-gen-x' took more than 1 second, and was killed [generator]\n"
          "allowc: help: --time-limit SECONDS gives it more\n")


@test
def no_end_with_a_word_before():
    """The limit is long enough for its first lines on a busy machine."""
    began = time.monotonic()
    equal(refused("echo wait >&2; sleep 600 & echo $! > pid; wait", "--time-limit", "5"),
          "allowc: error: 'allowc-gen-x' took more than 5 seconds, and was killed [generator]\n"
          "allowc: help: --time-limit SECONDS gives it more\nallowc: note: wait\n")
    equal(time.monotonic() - began < 300, True)
    gone(Path("pid").read_text().strip())


@test
def no_end_of_what_it_started():
    """The program ended: its answer is whole. What it left is killed, and not waited for."""
    project()
    generator("sleep 600 & echo $! > pid; " + answer(("a", "1")))
    passes("-q", "--emit", "x", "p1.allow", env=where())
    gone(Path("pid").read_text().strip())


@test
def what_left_its_session_is_not_waited_for():
    suite.need("setsid")
    project()
    generator("setsid sh -c 'echo $$ > pid; exec sleep 600' & until test -s pid; do sleep 0.01; done; "
              + answer(("a", "1")))
    passes("-q", "--emit", "x", "p1.allow", env=where())
    os.kill(int(Path("pid").read_text()), 9)


@test
def an_interrupt_ends_both():
    project()
    generator("echo $$ > pid; exec sleep 600")
    running = subprocess.Popen([suite.ALLOWC, "--emit", "x", "p1.allow"], env=where(), stderr=subprocess.PIPE)
    end = time.monotonic() + 60
    while not Path("pid").exists() or not Path("pid").read_text().strip():
        if time.monotonic() > end:
            raise AssertionError("it does not start")
        time.sleep(0.01)
    running.terminate()
    running.communicate(timeout=60)
    equal(running.returncode, -15)
    gone(Path("pid").read_text().strip())
    equal(Path("generated").exists(), False)


@test
def time_limits():
    project()
    for text in ("0", "-1", "x", "", "1.5", "86401", " 1"):
        contains(fails(2, "--time-limit", text, "p1.allow"),
                 f"--time-limit cannot be '{text}'; it is a number of seconds, 1 to 86400")


@test
@needs_root
def an_ordinary_user_may_not_run_what_root_may():
    suite.need("setpriv")
    project()
    generator(answer(), mode=0o700)
    done = allowc("--emit", "x", "p1.allow", env=where(),
                  before=("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"))
    equal(stat.S_IMODE(os.stat("bin/allowc-gen-x").st_mode), 0o700)
    equal((done.returncode, done.stderr), (2, "allowc: --emit: 'allowc-gen-x' is on PATH, and may not be run\n"
                                           "Try 'allowc --help'.\n"))


tap.main()
