#!/usr/bin/env python3
"""What git shows of policies with the settings of `allowc git-setup`: a real git in temporary repositories."""

import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import allowc, contains, equal, fails, needs, passes, test  # noqa: E402

ADR = """# {number}. Tools

Date: 2026-05-12

## Status

Accepted

`git`, `jq`, `rg`, `docker`, `docker buildx`, `npm`, `CAP_SYS_PTRACE`, `CAP_BPF`
"""
LOW = """policy low
decisions "../adr"

allow docker  adr 1  because "builds"
"""
POLICY = """policy p
extends low
decisions "../adr"

allow git  adr 1  because "clones"
allow jq  adr 1  because "cuts JSON"
allow rg  adr 1  because "searches"

forbid CAP_SYS_PTRACE  adr 1  because "nobody traces"
"""
# Another order, a comment, another layout; no other decision.
REORDERED = """policy p
extends low
decisions "../adr"

# Nobody traces.
forbid CAP_SYS_PTRACE  because "nobody traces"  adr 1

allow rg  adr 1  because "searches"
allow jq  adr 1 {
    because "cuts JSON"
}
allow git  adr 1  because "clones"
"""
# The sentence under which a comparison stands.
ABOVE = "both texts, above the layers and ADRs of the working folder\n"


def environment(**more):
    """Nothing of the machine's settings; a folder `bin` beside the repository goes first on PATH."""
    home = os.environ["TEST_HOME"]
    return {"PATH": f"{home}/bin:{os.environ['PATH']}", "HOME": home, "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0", "GIT_PAGER": "cat", "LC_ALL": "C", **more}


def attempt(*arguments, **more):
    return subprocess.run(["git", *arguments], env=environment(**more), check=False, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, encoding="utf-8", timeout=60)


def git(*arguments, **more):
    done = attempt(*arguments, **more)
    equal((done.returncode, done.stderr), (0, ""), f"git {arguments}")
    return done.stdout


def write(path, text):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


def commit(message="c"):
    git("add", "-A")
    git("commit", "-q", "-m", message)


def repository():
    """policies/p.allow over policies/low.allow on main, with the program on PATH as `allowc`."""
    home = Path.cwd()
    os.environ["TEST_HOME"] = str(home)
    words = " ".join(f"'{word}'" for word in suite.program())
    write("bin/allowc", f'#!/bin/sh\nexec {words} "$@"\n')
    os.chmod("bin/allowc", 0o755)
    os.mkdir("repository")
    os.chdir("repository")
    git("init", "-q", "-b", "main")
    git("config", "user.name", "Test")
    git("config", "user.email", "test@example.org")
    write("adr/0001-tools.md", ADR.format(number=1))
    write("policies/low.allow", LOW)
    write("policies/p.allow", POLICY)
    commit()


def set_up():
    """Runs what git-setup prints, as a person would who wants all of it."""
    repository()
    text = passes("git-setup").stdout
    done = subprocess.run(["sh", "-eu"], input=text, env=environment(), capture_output=True, text=True, check=False)
    equal((done.returncode, done.stdout, done.stderr), (0, "", ""))
    equal(Path(".gitattributes").read_text(encoding="utf-8"), "*.allow diff=allowc\ngenerated/** -merge\n")
    commit()


# ---- git-setup ----


@test
@needs("git")
def git_setup_prints_and_changes_nothing():
    repository()
    before = Path(".git/config").read_bytes()
    passes("git-setup")
    equal(Path(".git/config").read_bytes(), before)
    equal(git("status", "--short"), "")


@test
def help_of_both_commands():
    for name in ("git-setup", "git-diff"):
        for option in ("--help", "-h"):
            contains(passes(name, option).stdout, f"Usage: allowc {name}")
    equal(fails(2, "git-diff"), "allowc: git gives 7 or 9 arguments, or 1 of what is not merged; --textconv takes one "
          "file\nTry 'allowc git-diff --help'.\n")


# ---- textconv ----


@test
@needs("git")
def a_reorder_does_not_show_and_a_decision_does():
    set_up()
    write("policies/p.allow", REORDERED)
    equal(git("diff"), "")
    contains(git("diff", "--no-textconv"), "+# Nobody traces.")
    write("policies/p.allow", REORDERED.replace("allow rg", "forbid rg"))
    lines = [line for line in git("diff").splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    equal(lines, ['-allow rg  adr 1  because "searches"', '+forbid rg  adr 1  because "searches"'])
    commit()
    contains(git("show", "HEAD"), '+forbid rg  adr 1  because "searches"')
    contains(git("log", "-p", "-1"), '-allow rg  adr 1  because "searches"')


@test
@needs("git")
def a_clone_without_the_settings_shows_the_file():
    set_up()
    git("config", "--remove-section", "diff.allowc")
    write("policies/p.allow", REORDERED)
    contains(git("diff"), "+# Nobody traces.")


@test
@needs("git")
def a_text_that_does_not_parse_is_shown_and_stops_nothing():
    set_up()
    write("policies/p.allow", POLICY.replace("allow rg", "alow rg"))
    write("policies/low.allow", LOW + 'allow npm  adr 1  because "installs"\n')
    shown = git("diff")
    contains(shown, '+| alow rg  adr 1  because "searches"\n')
    contains(shown, '+allow npm  adr 1  because "installs"\n')
    contains(git("format-patch", "--stdout", "-1"), "diff --git a/.gitattributes")


@test
@needs("git")
def a_patch_for_others_is_of_the_file():
    set_up()
    write("policies/p.allow", REORDERED)
    patch = git("diff", "--no-textconv")
    commit()
    contains(git("format-patch", "--stdout", "-1"), "+# Nobody traces.")
    git("checkout", "-q", "HEAD~1")
    done = subprocess.run(["git", "apply"], input=patch, env=environment(), text=True, check=False)
    equal(done.returncode, 0)
    equal(Path("policies/p.allow").read_text(encoding="utf-8"), REORDERED)


# ---- external diff and difftool ----


@test
@needs("git")
def the_external_diff_says_what_a_change_permits():
    set_up()
    write("policies/p.allow", POLICY.replace("allow rg", "forbid rg"))
    expected = f"""\
policies/p.allow: {ABOVE}before -> after   commands narrower -1 · guards +1
p/0001 "Tools"  accepted 2026-05-12
  + forbid rg  p.allow:7  was allowed (p.allow:7), by p/0001

"""
    equal(git("policy-diff"), expected)
    equal(git("diff", GIT_EXTERNAL_DIFF="allowc git-diff"), expected)
    equal(git("-c", "diff.allowc.command=allowc git-diff", "diff"), expected)
    git("add", "-A")
    equal(git("policy-diff", "--cached"), expected)
    commit()
    equal(git("policy-diff", "HEAD~1", "HEAD"), expected)
    os.chdir("policies")
    equal(git("policy-diff", "HEAD~1", "HEAD", "--", "*.allow"), expected)


@test
@needs("git")
def the_external_diff_of_a_reorder():
    set_up()
    write("policies/p.allow", REORDERED)
    equal(git("policy-diff"), f"policies/p.allow: {ABOVE}before -> after   equivalent\n"
          "no decision changed: rows stand in another order\n\n")


@test
@needs("git")
def the_difftool_says_the_same():
    set_up()
    write("policies/p.allow", POLICY.replace("allow rg", "forbid rg"))
    write("policies/more.allow", LOW.replace("policy low", "policy more"))
    os.remove("policies/low.allow")
    git("add", "-A")
    tool = git("difftool", "--no-prompt", "--no-renames", "--tool=allowc", "HEAD")
    equal(tool, git("policy-diff", "--no-renames", "HEAD"))
    contains(tool, "policies/low.allow: deleted;")


@test
@needs("git")
def new_and_deleted_files():
    set_up()
    write("policies/more.allow", LOW.replace("policy low", "policy more"))
    git("add", "-A")
    equal(git("policy-diff", "--cached"), """\
policies/more.allow: new; above the layers and ADRs of the working folder it is
more: 1 command allowed, 0 forbidden
--- /dev/null
+++ after:policies/more.allow
@@ -0,0 +1,3 @@
+policy more
+decisions "../adr"
+allow docker  adr 1  because "builds"

""")
    commit()
    os.remove("policies/more.allow")
    equal(git("policy-diff"), """\
policies/more.allow: deleted; above the layers and ADRs of the working folder it was
more: 1 command allowed, 0 forbidden
--- before:policies/more.allow
+++ /dev/null
@@ -1,3 +0,0 @@
-policy more
-decisions "../adr"
-allow docker  adr 1  because "builds"

""")


@test
@needs("git")
def a_renamed_and_a_copied_file():
    """Each text is read where it stood or stands; what a rename alone leaves is equivalent."""
    set_up()
    git("mv", "policies/p.allow", "policies/q.allow")
    equal(git("policy-diff", "--find-renames", "HEAD"),
          f"policies/p.allow -> policies/q.allow (renamed): {ABOVE}before -> after   equivalent\n\n")
    write("policies/q.allow", POLICY + 'allow npm  adr 1  because "installs"\n')
    git("add", "-A")
    equal(git("policy-diff", "HEAD"), f"""\
policies/p.allow -> policies/q.allow (renamed): {ABOVE}before -> after   commands wider +1
p/0001 "Tools"  accepted 2026-05-12
  + allow  npm  q.allow:10

""")
    write("policies/p.allow", POLICY)
    git("add", "-A")
    contains(git("policy-diff", "--find-copies-harder", "HEAD"),
             f"policies/p.allow -> policies/q.allow (copied): {ABOVE}before -> after   commands wider +1\n")


@test
@needs("git")
def a_mode_a_link_and_an_unmerged_file():
    set_up()
    os.chmod("policies/low.allow", 0o755)
    os.remove("policies/p.allow")
    os.symlink("low.allow", "policies/p.allow")
    shown = git("policy-diff")
    contains(shown, f"policies/low.allow (mode 100644 -> 100755): {ABOVE}before -> after   equivalent\n\n")
    contains(shown, "policies/p.allow")
    contains(shown, ": a symbolic link, so nothing was compared\n")
    git("checkout", "-q", "-f", "-b", "other")
    write("policies/p.allow", POLICY.replace("clones", "fetches"))
    commit()
    git("checkout", "-q", "main")
    write("policies/p.allow", POLICY.replace("clones", "pulls"))
    commit()
    equal(attempt("merge", "other").returncode, 1)
    contains(git("policy-diff", "--cached"), "policies/p.allow: not merged yet, so nothing was compared\n")


@test
@needs("git")
def the_layers_of_the_working_folder_decide_and_are_said_to():
    """A row that moves to the layer below: the change of one file alone is not "equivalent"."""
    set_up()
    write("policies/low.allow", LOW + 'allow rg  adr 1  because "searches"\n')
    write("policies/p.allow", POLICY.replace('allow rg  adr 1  because "searches"\n', ""))
    shown = git("policy-diff", "--", "policies/p.allow")
    equal(shown.splitlines()[:3], [
        "policies/p.allow: its lines alone; what it permits was not compared, as it makes no policy before the change",
        "before the change:",
        "policies/p.allow:7:7: error: 'rg' is allowed by a layer below already [repeat]"])
    contains(shown, '\n-allow rg  adr 1  because "searches"\n')
    equal("equivalent" in shown, False)
    contains(allowc("diff", "HEAD:policies/p.allow", "policies/p.allow").stdout, "equivalent")


@test
@needs("git")
def without_its_layers_nothing_is_equivalent():
    set_up()
    write("policies/p.allow", REORDERED)
    git("add", "-A")
    git("commit", "-q", "-m", "c")
    os.remove("policies/low.allow")
    shown = git("policy-diff", "HEAD~1", "HEAD")
    contains(shown, "as it makes no policy before and after the change\n")
    contains(shown, "policies/p.allow:2:9: error: the layer 'policies/low.allow' is not there [layer]\n")
    contains(shown, "its lines differ in order, comments and layout at most\n")
    equal("equivalent" in shown, False)


@test
@needs("git")
def a_bare_repository_has_no_layers():
    set_up()
    write("policies/p.allow", REORDERED)
    commit()
    git("clone", "-q", "--bare", ".", "../bare")
    os.chdir("../bare")
    shown = git("diff", "HEAD~1", "HEAD", GIT_EXTERNAL_DIFF="allowc git-diff")
    contains(shown, "error: the layer 'policies/low.allow' is not there [layer]\n")
    equal("equivalent" in shown, False)


@test
@needs("git")
def paths_that_look_like_something_else():
    set_up()
    for name in ("--textconv.allow", "a b.allow", "ü.allow", "-", "$(touch owned).allow", "x.json"):
        write(name, 'policy p\ndecisions "adr"\n')
    commit()
    for name in ("--textconv.allow", "a b.allow", "ü.allow", "-", "$(touch owned).allow", "x.json"):
        write(name, 'policy p\ndecisions "adr"\nallow git  adr 1  because "clones"\n')
    shown = git("policy-diff")
    equal(shown.count("before -> after   commands wider +1\n"), 6)
    equal(os.path.exists("owned"), False)


# ---- merges ----


def two_branches():
    """Each adds a row at another place."""
    git("checkout", "-q", "-b", "one")
    write("policies/p.allow", POLICY.replace("allow git", 'allow npm  adr 1  because "installs"\nallow git'))
    built("one")
    git("checkout", "-q", "-b", "two", "main")
    write("policies/p.allow", POLICY + 'forbid CAP_BPF  adr 1  because "nobody loads"\n')
    built("two")


def built(message):
    passes("-q", "policies/p.allow")
    commit(message)


@test
@needs("git")
def two_branches_that_each_add_a_row_merge_cleanly():
    set_up()
    write(".gitignore", "generated/\n")
    built("artifacts")
    two_branches()
    equal(attempt("merge", "-q", "one").returncode, 0)
    equal(git("status", "--short"), "")
    equal(allowc("--check", "-q", "policies/p.allow").returncode, 1)
    contains(passes("policies/p.allow").stdout,
             "p: 5 commands allowed, 0 forbidden; CAP_SYS_PTRACE, CAP_BPF forbidden")
    passes("--check", "policies/p.allow")
    equal(passes("list", "policies/p.allow").stdout.split(), ["docker", "npm", "git", "jq", "rg"])


@test
@needs("git")
def committed_artifacts_are_made_anew_by_the_merge():
    """Committed artifacts stop the merge, of which the policy's part is clean; the next run replaces them."""
    set_up()
    built("artifacts")
    two_branches()
    equal(attempt("merge", "-q", "one").returncode, 1)
    states = {line[3:]: line[:2] for line in git("status", "--short").splitlines()}
    equal(states.pop("policies/p.allow"), "M ")
    equal({path.split("/")[0] for path in states}, {"generated"})
    equal("UU" in states.values(), True, states)
    passes("-q", "policies/p.allow")
    git("add", "generated")
    git("commit", "-q", "-m", "merged")
    equal(git("status", "--short"), "")
    passes("--check", "policies/p.allow")
    equal(passes("list", "policies/p.allow").stdout.split(), ["docker", "npm", "git", "jq", "rg"])


@test
def what_is_no_regular_file_is_said_and_not_waited_for():
    Path("p.allow").write_text("policy p\n", encoding="utf-8")
    os.mkfifo("pipe")
    for old, new in (("pipe", "p.allow"), ("p.allow", "pipe")):
        equal(fails(2, "git-diff", "p.allow", old, "0", "100644", new, "1", "100644"),
              "allowc: cannot read 'pipe': Not a regular file\n")


tap.main()
