#!/usr/bin/env python3
"""allowc sync beside others: generators, people who write at the same time, and runs that are killed."""

import fcntl
import json
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from in_place import HEAD, PAGE, no_leftovers, read, with_outputs, write  # noqa: E402
import suite  # noqa: E402
import tap  # noqa: E402
from tap import allowc, contains, equal, fails, needs, passes, project, test  # noqa: E402

# ---- generators ----


def generator(script):
    write("bin/allowc-gen-x", f"#!/bin/sh\n{script}\n")
    os.chmod("bin/allowc-gen-x", 0o755)


def with_generator():
    return tap.environment(PATH=f"{os.getcwd()}/bin:/usr/bin:/bin")


@test
def a_generator_sees_what_all_files_will_hold():
    os.mkdir(".git")
    project()
    write("policies/p1.allow", HEAD.replace('"adr"', '"../adr"') + 'output x "../sub/x.json"\noutput names "../t.md"\n'
          'plugin first "first.yaml" {\n    tools git\n}\n')
    write("t.md", PAGE)
    write("sub/x.json", "")
    os.unlink("sub/x.json")
    generator("cat > asked; pwd > where; echo '{\"files\": [{\"path\": \"any\", \"content\": \"{}\"}]}'")
    passes("sync", "policies/p1.allow", env=with_generator())
    asked = json.loads(read("asked"))
    equal((asked["output"], read("where")), ("sub/x.json", os.getcwd() + "\n"))
    equal({file["path"]: file["content"] for file in asked["artifacts"]},
          {"policies/first.yaml": read("policies/first.yaml"), "t.md": read("t.md")})
    contains(read("t.md"), "docker buildx")
    equal(read("sub/x.json"), "{}")


@test
def a_generator_that_fails_keeps_all_files():
    with_outputs('output names "t.md"', 'output x "x"')
    write("t.md", PAGE)
    generator("exit 1")
    contains(fails(1, "sync", "p1.allow", env=with_generator()),
             "p1.allow:9:8: error: 'allowc-gen-x' ended with exit status 1 [generator]\n")
    equal((read("t.md"), Path("x").exists()), (PAGE, False))


@test
def a_generator_that_writes_itself_is_found_out():
    """It has no right to: what it changed is left, and nothing else is written."""
    with_outputs('output names "t.md"', 'output x "x"')
    write("t.md", PAGE)
    generator("echo more >> t.md; echo '{\"files\": [{\"path\": \"x\", \"content\": \"\"}]}'")
    equal(fails(2, "sync", "p1.allow", env=with_generator()),
          "allowc: 't.md' changed while allowc ran: nothing is written; run it again\n")
    equal((read("t.md"), Path("x").exists()), (PAGE + "more\n", False))
    no_leftovers()


@test
def a_generator_that_writes_into_a_file_without_a_change_is_found_out():
    with_outputs('output names "n.txt"')
    passes("sync", "p1.allow")
    before = read("n.txt")
    with_outputs('output names "n.txt"', 'output x "x"')
    generator("echo hand >> n.txt; echo '{\"files\": [{\"path\": \"x\", \"content\": \"\"}]}'")
    equal(fails(2, "sync", "p1.allow", env=with_generator()),
          "allowc: 'n.txt' changed while allowc ran: nothing is written; run it again\n")
    equal((read("n.txt"), Path("x").exists()), (before + "hand\n", False))
    no_leftovers()


@test
def a_generator_may_not_go_where_nobody_may():
    """It is not even run."""
    with_outputs('output x "../x"')
    generator("touch ran")
    contains(fails(1, "sync", "p1.allow", env=with_generator()), "'../x' is outside the project [outside]")
    equal(Path("ran").exists(), False)


# ---- others at work ----


def started_and_delayed(*calls, what="delay_enter"):
    """The program, slow before these calls, or behind them."""
    inject = [f"--inject={call}:{what}=3000000" for call in calls]
    return subprocess.Popen(["strace", "-f", "-o", "/dev/null", "-e", "trace=" + ",".join(calls), *inject,
                             suite.ALLOWC, "sync", "p1.allow"],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # fmt: skip


def until(condition):
    end = time.monotonic() + 60
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("nothing happened")
        time.sleep(0.01)


@test
@needs("strace")
def a_file_that_changes_meanwhile_is_left_as_it_is():
    with_outputs('output names "t.md"')
    write("t.md", PAGE)
    running = started_and_delayed("fchmod")
    until(Path(".t.md.allowc").exists)
    write("t.md", PAGE + "More.\n")
    out, error = running.communicate()
    equal((running.returncode, out), (2, ""), error)
    equal(error, "allowc: 't.md' changed while allowc ran: nothing is written; run it again\n")
    equal(read("t.md"), PAGE + "More.\n")
    no_leftovers()


@test
@needs("strace")
def a_file_that_appears_meanwhile_is_left_as_it_is():
    with_outputs('output names "t.txt"')
    running = started_and_delayed("renameat2")
    until(Path(".t.txt.allowc").exists)
    write("t.txt", "mine\n")
    out, error = running.communicate()
    equal((running.returncode, out), (2, ""), error)
    contains(error, "'t.txt' changed while allowc ran")
    equal(read("t.txt"), "mine\n")
    no_leftovers()


@test
@needs("strace")
def a_file_that_changes_while_others_are_renamed_is_left_as_it_is():
    with_outputs('output names "a.md"', 'output names "b.md"')
    for name in ("a.md", "b.md"):
        write(name, PAGE)
    running = started_and_delayed("renameat", what="delay_exit")
    until(lambda: read("a.md") != PAGE)
    write("b.md", PAGE + "More.\n")
    out, error = running.communicate()
    equal((running.returncode, out), (2, ""), error)
    equal(error, "allowc: 'b.md' changed while allowc ran: nothing is written; run it again\n")
    equal((read("a.md"), read("b.md")), (PAGE, PAGE + "More.\n"))
    no_leftovers()


@test
def runs_take_turns_in_a_project_where_outside_is_allowed_too():
    with_outputs('output names "docs/t.md"')
    os.mkdir(".git")
    write("docs/t.md", PAGE)
    folder = os.open(".", os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    running = subprocess.Popen([suite.ALLOWC, "sync", "--allow-outside", "-q", "p1.allow"])
    try:
        running.wait(timeout=0.5)
    except subprocess.TimeoutExpired:
        pass
    equal((running.poll(), read("docs/t.md")), (None, PAGE))
    os.close(folder)
    equal(running.wait(), 0)
    contains(read("docs/t.md"), "  docker buildx\n")


@test
@needs("strace")
def a_failing_rename_takes_back_those_before_it():
    with_outputs('output names "a.md"', 'output names "b.md"', 'output names "c.txt"')
    for name in ("a.md", "b.md"):
        write(name, PAGE)
    os.chmod("a.md", 0o640)
    done = allowc("sync", "p1.allow", before=("strace", "-o", "/dev/null", "-e", "trace=renameat2",
                                              "--inject=renameat2:error=EIO"))  # fmt: skip
    equal((done.returncode, done.stdout), (2, ""))
    equal(done.stderr, "allowc: cannot replace 'c.txt': Input/output error\n")
    equal((read("a.md"), read("b.md"), Path("c.txt").exists()), (PAGE, PAGE, False))
    equal(stat.S_IMODE(os.stat("a.md").st_mode), 0o640)
    no_leftovers()


@test
@needs("strace")
def what_somebody_wrote_after_the_rename_is_not_taken_back():
    with_outputs('output names "a.md"', 'output names "b.md"', 'output names "c.txt"')
    for name in ("a.md", "b.md"):
        write(name, PAGE)
    running = started_and_delayed("renameat2", what="error=EIO:delay_enter")
    until(lambda: read("b.md") != PAGE)
    write("a.md", "mine\n")
    out, error = running.communicate()
    equal((running.returncode, out), (2, ""), error)
    equal(error, "allowc: cannot replace 'c.txt': Input/output error\n"
          "allowc: 'a.md' changed while allowc ran: it is not put back\n")
    equal((read("a.md"), read("b.md"), Path("c.txt").exists()), ("mine\n", PAGE, False))
    no_leftovers()


@test
@needs("strace")
def a_killed_run_is_finished_by_the_next():
    """At each rename: the files are whole, and the next run does the rest."""
    for number, call in ((1, "renameat"), (1, "renameat2"), (2, "renameat2"), (3, "renameat2")):
        with_outputs('output names "t.md"', 'output names "a"', 'output python "b.py"')
        write("t.md", PAGE)
        for name in ("a", "b.py", "p1.sync.sha256"):
            Path(name).unlink(missing_ok=True)
        allowc("sync", "p1.allow", before=("strace", "-o", "/dev/null", "-e", f"trace={call}",
                                           f"--inject={call}:signal=KILL:when={number}"))  # fmt: skip
        equal((Path("p1.sync.sha256").exists(), Path(".p1.sync.sha256.allowc").exists()), (False, True))
        equal(Path("a").exists(), number > 1)
        passes("sync", "p1.allow")
        equal((read("t.md"), read("a")), (PAGE.replace("  old\n", "  git\n  docker\n  docker buildx\n"),
                                         "git\ndocker\ndocker buildx\n"))
        subprocess.run(["sha256sum", "--strict", "--quiet", "-c", "p1.sync.sha256"], check=True)
        no_leftovers()


@test
@needs("strace")
def a_second_name_that_a_killed_run_left_keeps_nothing_from_being_written():
    # Where a rename cannot spare what is there, a new file gets its name by a link, and then loses the other.
    with_outputs('output names "a"')
    allowc("sync", "p1.allow", before=("strace", "-o", "/dev/null", "--inject=renameat2:error=EINVAL",
                                       "--inject=unlinkat:signal=KILL:when=1"))  # fmt: skip
    equal((read("a"), os.stat("a").st_nlink), ("git\ndocker\ndocker buildx\n", 2))
    os.link("a", "mine")
    passes("sync", "p1.allow")
    equal((os.stat("a").st_nlink, Path(".a.allowc").exists()), (2, False))
    os.unlink("mine")
    with_outputs('output names "a"', 'allow jq  adr 0001  because "filters"')
    passes("sync", "p1.allow")
    equal((read("a"), os.stat("a").st_nlink), ("git\ndocker\ndocker buildx\njq\n", 1))
    no_leftovers()


@test
@needs("strace")
def a_second_name_that_a_killed_run_left_goes_where_the_file_changes_at_once():
    with_outputs('output names "a"')
    passes("sync", "p1.allow")
    os.unlink("a")
    allowc("sync", "p1.allow", before=("strace", "-o", "/dev/null", "--inject=renameat2:error=EINVAL",
                                       "--inject=unlinkat:signal=KILL:when=1"))  # fmt: skip
    equal(os.stat("a").st_nlink, 2)
    with_outputs('output names "a"', 'allow jq  adr 0001  because "filters"')
    passes("sync", "p1.allow")
    equal((read("a"), os.stat("a").st_nlink), ("git\ndocker\ndocker buildx\njq\n", 1))
    no_leftovers()


@test
def a_file_that_passes_from_one_policy_to_another_is_as_much_allowcs_as_before():
    with_outputs('output names "n.txt"')
    passes("sync", "p1.allow")
    with_outputs()
    with_outputs('output names "n.txt"', name="p2")
    equal(passes("sync", "p1.allow", "p2.allow").stdout,
          "p1: 3 commands allowed, 0 forbidden\np2: 3 commands allowed, 0 forbidden\n"
          "  unchanged  n.txt\n  removed    p1.sync.sha256\n  written    p2.sync.sha256\n")
    with_outputs(name="p2")
    equal(passes("sync", "p2.allow").stdout,
          "p2: 3 commands allowed, 0 forbidden\n  removed    n.txt\n  removed    p2.sync.sha256\n")
    equal(Path("n.txt").exists(), False)


@test
@needs("strace")
def a_second_name_goes_with_the_file_that_is_removed():
    with_outputs('output names "a"')
    allowc("sync", "p1.allow", before=("strace", "-o", "/dev/null", "--inject=renameat2:error=EINVAL",
                                       "--inject=unlinkat:signal=KILL:when=2"))  # fmt: skip
    equal(os.stat("p1.sync.sha256").st_nlink, 2)
    with_outputs()
    passes("sync", "p1.allow")
    equal((Path("a").exists(), Path("p1.sync.sha256").exists()), (False, False))
    no_leftovers()


@test
def what_a_killed_run_left_is_cleared_away_and_nothing_else():
    with_outputs('output names "t.txt"')
    write(".t.txt.allowc", "git\ndoc")
    passes("sync", "p1.allow")
    no_leftovers()
    os.unlink("t.txt")
    write(".t.txt.allowc", "mine\n")
    equal(fails(2, "sync", "p1.allow"),
          "allowc: '.t.txt.allowc' is in the way, beside 't.txt': move it away or delete it\n")
    equal(read(".t.txt.allowc"), "mine\n")


tap.main()
