#!/usr/bin/env python3
"""allowc diff between revisions, with a real git in temporary repositories."""

import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import allowc, contains, decided, equal, fails, needs, passes, test  # noqa: E402

ADR = """# {number}. {title}

Date: {date}

## Status

{status}

## Decision

{text}
"""

TOOLS = "`git`, `node`, `docker`, `rg`, `docker buildx`"


def git(*arguments):
    """With no configuration but its own: an identity, and nothing of the machine's."""
    environment = {"PATH": os.environ["PATH"], "HOME": os.getcwd(), "GIT_CONFIG_NOSYSTEM": "1"}
    identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "init.defaultBranch=main"]
    return subprocess.run(["git", *identity, *arguments], env=environment, check=True, capture_output=True, text=True)


def write(path, text):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


def adr(path, number, title, date, text, status="Accepted"):
    write(path, ADR.format(number=number, title=title, date=date, status=status, text=text))


def commit(message="c"):
    git("add", "-A")
    git("commit", "-q", "-m", message)


def repository():
    git("init", "-q")


PHASE2 = """policy phase2
title "Phase 2"
decisions "../adr/phase2"

allow git  adr 0001  because "clones"
allow node  adr 0001  because "runs the harness"
allow docker  adr 0001  because "starts containers"

{rg}





# Parsers

allow tree-sitter  adr 0002  because "parses"
"""
RG = 'allow rg  adr phase2/0001  because "searches text"'
PHASE3 = """policy phase3
extends phase2

{rg}
"""
PHASE7 = """policy phase7
title "Phase 7"
extends phase3
decisions "../adr/phase7"

allow "docker buildx"  adr 0015  because "builds" {{
    requires docker >= 20.10
}}

# The gate runs what the others built.
role gate {{
    forbid git  adr 0015  because "it clones nothing"
}}




# Probes look and build nothing.

role probe {{
    forbid node  adr 0015  because "it runs nothing"
{docker}
}}
"""
DOCKER = '    forbid docker  adr 0031  because "a probe builds nothing"'


def two_branches():
    """The second example of the command line's contract: main, and HEAD on a branch of its own."""
    repository()
    adr("adr/phase2/0001-tools.md", "0001", "Tools", "2026-05-12", TOOLS)
    adr("adr/phase2/0002-grammars.md", "0002", "Grammars on the host", "2026-05-13", "`tree-sitter`")
    adr("adr/phase2/0011-grammars-in-the-image.md", "0011", "Grammars in the image", "2026-05-17", "They are built in.")
    adr("adr/phase7/0015-builders.md", "0015", "Builders", "2026-05-19", TOOLS)
    write("policies/phase2.allow", PHASE2.format(rg=""))
    write("policies/phase3.allow", PHASE3.format(rg=RG))
    write("policies/phase7.allow", PHASE7.format(docker=""))
    commit()
    git("checkout", "-q", "-b", "probes")
    adr("adr/phase2/0002-grammars.md", "0002", "Grammars on the host", "2026-05-13", "`tree-sitter`",
        status="Superseded by [0011](0011-grammars-in-the-image.md)")
    adr("adr/phase7/0031-probes.md", "0031", "Probes lose docker", "2026-06-02", "`docker`")
    write("policies/phase2.allow", PHASE2.format(rg=RG))
    write("policies/phase3.allow", PHASE3.format(rg=""))
    write("policies/phase7.allow", PHASE7.format(docker=DOCKER))
    commit()


@test
@needs("git")
def the_example_of_two_revisions():
    two_branches()
    done = allowc("diff", "main:policies/phase7.allow", "HEAD:policies/phase7.allow")
    equal(done.stdout, """\
main -> HEAD   commands narrower -2 (role probe) · ADRs: 1 superseded, 1 new
phase2/0002 "Grammars on the host"  accepted -> superseded by phase2/0011 (accepted 2026-05-17)
  ! tree-sitter            phase2.allow:17  still cites 0002; 0011 does not name it
phase7/0031 "Probes lose docker"  accepted 2026-06-02, new here
  - docker, docker buildx  phase7.allow:22  role probe; gate keeps both
no decision changed: rg moved phase3.allow:4 -> phase2.allow:9
gate: shut [adr-status]: cite an accepted ADR that names `tree-sitter`, or revoke it
""")
    equal(done.stderr.splitlines()[0],
          "HEAD:policies/phase2.allow:17:24: error: ADR phase2/0002 is superseded, not accepted [adr-status]")
    contains(done.stderr, "HEAD:policies/../adr/phase2/0002-grammars.md:7:1: note: its status stands here")
    equal(done.returncode, 1)

# ---- a small repository ----


def decided_diff(*arguments, **options):
    return decided(allowc("diff", *arguments, **options))


POLICY = """policy p
extends "../low.allow"
use "calls.allow"
decisions p "../adr"

allow git  adr 1  because "clones"
forbid syscall @some  adr 1  because "not here"
"""
LOW = """policy low
decisions "adr"

allow docker  adr 1  because "builds"
"""
CALLS = "syscalls @some {\n    ptrace\n}\n"


def small():
    """Layers, a library and ADRs in three folders, committed on main."""
    repository()
    adr("adr/0001-tools.md", "0001", "Tools", "2026-05-12", "`git`, `docker`, `jq`, `@some`")
    write("low.allow", LOW)
    write("policies/p.allow", POLICY)
    write("policies/calls.allow", CALLS)
    commit()


def everything():
    """All files with their bytes and times: reading may change none of them."""
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns)
            for path in sorted(Path(".").rglob("*")) if path.is_file()}


@test
@needs("git")
def layers_libraries_and_adrs_come_from_the_revision():
    small()
    adr("adr/0001-tools.md", "0001", "Tools", "2026-05-12", "`git`, `docker`, `jq`, `@some`", status="Rejected")
    write("low.allow", LOW + 'allow jq  adr 1  because "cuts"\n')
    write("policies/calls.allow", CALLS.replace("ptrace", "ptrace, kcmp"))
    done = decided_diff("--base", "main", "policies/p.allow")
    equal(done.stdout, """\
main -> policies/p.allow   commands wider +1 · system calls narrower -1 · guards +1 · ADRs: 2 rejected
low/0001 "Tools"  accepted -> rejected 2026-05-12
  ! docker                low.allow:4  still cites 0001
  ! jq                    low.allow:5  still cites 0001
  + allow  jq             low.allow:5
p/0001 "Tools"  accepted -> rejected 2026-05-12
  ! git                   p.allow:6    still cites 0001
  ! syscall @some         p.allow:7    still cites 0001
  ~ forbid syscall @some  p.allow:7    its group differs; may do less: kcmp
""")
    equal(done.returncode, 1)


def phases(decisions='"adr/*"'):
    """A pattern of folders, and a plugin with a manifest of its own."""
    repository()
    adr("adr/one/0001-tools.md", "0001", "Tools", "2026-05-12", "`git`, `docker`")
    write("adr/README.md", "The phases.\n")
    write("plugin.yaml", "name: x\n")
    write("p.allow", f'policy p\ndecisions {decisions}\nallow git  adr one/0001  because "clones"\n'
          'plugin x "plugin.yaml" {\n    tools git\n}\n')
    commit()


@test
@needs("git")
def the_folders_of_a_pattern_are_those_of_the_revision():
    """In the working folder are others: none of them is taken, none is missed. A match more changes no trust."""
    phases()
    adr("adr/two/0001-more.md", "0001", "More", "2026-05-14", "`docker`")
    text = Path("p.allow").read_text(encoding="utf-8")
    write("p.allow", text + 'allow docker  adr two/0001  because "builds"\n')
    commit()
    before = passes("diff", "HEAD:p.allow", "HEAD:p.allow").stdout
    expected = ('HEAD~1 -> HEAD   commands wider +1 · ADRs: 1 new\ntwo/0001 "More"  accepted 2026-05-14, new here\n'
                "  + allow  docker  p.allow:7\n")
    equal(decided_diff("HEAD~1:p.allow", "HEAD:p.allow").stdout, expected)
    os.rename("adr", "elsewhere")
    write("adr/three/0001-x.md", "no ADR\n")
    os.remove("p.allow")
    equal(decided_diff("HEAD~1:p.allow", "HEAD:p.allow").stdout, expected)
    equal(passes("diff", "HEAD:p.allow", "HEAD:p.allow").stdout, before)


@test
@needs("git")
def adrs_that_are_named_by_their_date():
    """Two of one day are told apart; one that is gone is missing, a successor is found by its title."""
    repository()
    adr("adr/20260924-tools.md", "1", "Tools", "2026-09-24", "`git`")
    adr("adr/20260924-builds.md", "2", "Builds", "2026-09-24", "`docker`")
    write("p.allow", 'policy p\ndecisions "adr"\nallow git  adr 20260924-tools  because "clones"\n'
          'allow docker  adr 20260924-builds  because "builds"\n')
    commit()
    equal(passes("diff", "--base", "HEAD", "p.allow").stdout, "HEAD -> p.allow   equivalent\n")
    os.remove("adr/20260924-builds.md")
    adr("adr/20260924-tools.md", "1", "Tools", "2026-09-24", "`git`",
        status="Superseded by [Less](20261001-less.md)")
    adr("adr/20261001-less.md", "3", "Less", "2026-10-01", "nothing")
    equal(decided_diff("--base", "HEAD", "p.allow").stdout, """\
HEAD -> p.allow   equivalent · ADRs: 1 superseded, 1 gone
p/20260924-tools "Tools"  accepted -> superseded by p/20261001-less (accepted 2026-10-01)
  ! git     p.allow:3  still cites 20260924-tools; 20261001-less does not name it
p/20260924-builds "Builds"  accepted -> missing
  ! docker  p.allow:4  still cites 20260924-builds
""")


@test
@needs("git")
def a_successor_in_a_folder_of_another_spelling():
    phases()
    adr("adr/02-more/0007-less.md", "0007", "Less", "2026-05-15", "`git`")
    adr("adr/one/0001-tools.md", "0001", "Tools", "2026-05-12", "`git`", status="Superseded by Phase 2 ADR-0007")
    equal(decided_diff("--base", "HEAD", "p.allow").stdout.splitlines()[1],
          'one/0001 "Tools"  accepted -> superseded by 02-more/0007 (accepted 2026-05-15)')


@test
@needs("git")
def a_pattern_that_matches_nothing_in_the_revision_is_no_match():
    phases(decisions='"docs/*/adr"')
    Path("docs/one").mkdir(parents=True)
    os.rename("adr/one", "docs/one/adr")
    done = decided_diff("--base", "HEAD", "p.allow")
    equal((done.returncode, done.stdout), (2, ""))
    equal(done.stderr.splitlines()[0], "HEAD:p.allow:2:11: error: the folder 'docs' is not there [decisions]")
    commit()
    passes("diff", "--base", "HEAD", "p.allow")
    os.rename("docs/one/adr", "docs/one/no")
    commit()
    equal(decided_diff("HEAD:p.allow", "HEAD:p.allow").stderr.splitlines()[0],
          "HEAD:p.allow:2:11: error: no folder matches 'docs/*/adr' [decisions]")


@test
@needs("git")
def an_adr_that_changed_its_status_is_a_change_without_any_other():
    small()
    adr("adr/0001-tools.md", "0001", "Tools", "2026-05-12", "`git`, `docker`, `jq`, `@some`", status="Deprecated")
    commit()
    done = decided_diff("HEAD~1:policies/p.allow", "HEAD:policies/p.allow")
    equal((done.returncode, done.stdout.splitlines()[0]), (1, "HEAD~1 -> HEAD   equivalent · ADRs: 2 deprecated"))


@test
@needs("git")
def an_amended_and_a_deleted_adr():
    small()
    adr("adr/0001-tools.md", "0001", "Tools", "2026-05-12", "`git`, `docker`, `jq`, `@some`, again")
    done = decided_diff("--base", "main", "policies/p.allow")
    equal((done.returncode, done.stderr), (1, ""))
    equal(done.stdout, "main -> policies/p.allow   equivalent · ADRs: 2 amended\n"
          'low/0001 "Tools"  accepted 2026-05-12, amended\np/0001 "Tools"  accepted 2026-05-12, amended\n')
    os.remove("adr/0001-tools.md")
    done = decided_diff("--base", "main", "policies/p.allow")
    equal(done.stdout, """\
main -> policies/p.allow   equivalent · ADRs: 2 gone
low/0001 "Tools"  accepted -> missing
  ! docker         low.allow:4  still cites 0001
p/0001 "Tools"  accepted -> missing
  ! git            p.allow:6    still cites 0001
  ! syscall @some  p.allow:7    still cites 0001
""")
    equal(done.returncode, 1)


@test
@needs("git")
def paths_are_git_s_or_the_working_folder_s():
    small()
    write("policies/p.allow", POLICY + 'allow jq  adr 1  because "cuts"\n')
    here = os.getcwd()
    os.chdir("policies")
    for arguments in (("--base", "main", "p.allow"), ("main:./p.allow", "p.allow"), ("main:policies/p.allow", "p.allow"),
                      ("--base", "main", f"{here}/policies/p.allow"), ("main:../policies/./p.allow", "p.allow")):
        equal(decided_diff(*arguments).stdout.splitlines()[0].split(" -> ")[0], "main", arguments)
    absent = "allowc: cannot read 'main:{0}': No such file or directory"
    hint = "allowc: a path in a revision starts at the repository's top folder; from this one: 'main:./{0}'"
    equal(fails(2, "diff", "main:p.allow", "p.allow").splitlines(), [absent.format("p.allow"), hint.format("p.allow")])
    for path in "new.allow", "./new.allow", "policies/new.allow":
        equal(fails(2, "diff", f"main:{path}", "p.allow").splitlines(), [absent.format(path.replace("./", "policies/"))])
    os.chdir("/")
    for arguments in (("--base", "main", f"{here}/policies/p.allow"), ("main:policies/p.allow", "-")):
        contains(fails(2, "diff", *arguments), "git says: fatal: not a git repository")
    os.chdir(here)
    equal(fails(2, "diff", "--base", "main", "../p.allow").splitlines()[0],
          "allowc: cannot read 'main:../p.allow': '../p.allow' lies outside of the repository")


@test
@needs("git")
def what_is_not_there_is_trouble():
    small()
    for side, told in (
        ("nowhere:policies/p.allow", "cannot read 'nowhere:policies/p.allow': there is no revision 'nowhere'"),
        ("main:p.allow", "cannot read 'main:p.allow': No such file or directory"),
        ("main:policies", "cannot read 'main:policies': Is a directory: name a file in it"),
        ("main:low.allow/x", "cannot read 'main:low.allow/x': Not a directory"),
        (":policies/p.allow", "cannot read ':policies/p.allow': no revision stands before the ':'"),
        ("--help:policies/p.allow", None),
        ("main\npolicies:x", None),
    ):
        done = decided_diff("--", side, "policies/p.allow")
        equal((done.returncode, done.stdout), (2, ""))
        if told:
            equal(done.stderr, f"allowc: {told}\n")
    contains(fails(2, "diff", "--base", "main", "-"),
             "allowc: standard input is in no revision: --base needs the policy's file\n")


@test
@needs("git")
def a_policy_that_was_renamed_is_no_policy_that_is_new():
    """Under --initial all that a rename dropped would be gone unseen, so the older path is named first."""
    small()
    git("checkout", "-q", "-b", "renames")
    git("mv", "policies/p.allow", "policies/q é.allow")
    absent = "allowc: cannot read 'main:policies/q é.allow': No such file or directory\n"
    new = "allowc: a policy that is new is judged with --initial\n"
    told = "allowc: in 'main' git knows it as 'policies/p.allow'; compare these: main:policies/p.allow {}\n"
    staged = absent + told.format("policies/q é.allow")
    equal(fails(2, "gate", "--base", "main", "policies/q é.allow"), staged)  # as before a commit
    git("reset", "-q")
    equal(fails(2, "gate", "--base", "main", "policies/q é.allow"), absent + new)  # git has not been told
    commit()
    for command in "gate", "diff":
        for now in ["policies/q é.allow"], ["HEAD:policies/q é.allow"]:
            equal(fails(2, command, "main:policies/q é.allow", *now), absent + told.format(now[0]))
        equal(fails(2, command, "--base", "main", "policies/q é.allow"), absent + told.format("policies/q é.allow"))
    os.chdir("policies")
    equal(fails(2, "gate", "--base", "main", "q é.allow").splitlines()[1], told.format("q é.allow").rstrip())
    equal(passes("gate", "main:policies/p.allow", "q é.allow").stdout.splitlines()[-1], "gate: open, no widening")
    write("other.allow", POLICY)
    equal(fails(2, "gate", "--base", "main", "other.allow").splitlines()[1] + "\n", new)
    equal(fails(2, "gate", "main:policies/q é.allow", "-").splitlines()[1] + "\n", new)


@test
@needs("git")
def a_rename_is_seen_under_any_name_and_in_a_large_change():
    """git puts names with a quote or a tab in quotes of its own; and holds all that is gone against all that is new."""
    small()
    odd = 'policies/q"\\\t.allow'
    git("mv", "policies/p.allow", odd)
    for i in range(300):
        write(f"gone/{i}.txt", "".join(f"{i} {n * i}\n" for n in range(400)))
    commit()
    told = "in '{}' git knows it as '{}'; compare these: {}:{} {}\n"
    contains(fails(2, "gate", "--base", "HEAD~1", odd), told.format("HEAD~1", "policies/p.allow", "HEAD~1",
                                                                    "policies/p.allow", odd))
    git("rm", "-q", "-r", "gone")
    for i in range(300):
        write(f"new/{i}.txt", "".join(f"{i} {n * n}\n" for n in range(400)))
    git("mv", odd, "policies/r.allow")
    Path("policies/r.allow").write_text(Path("policies/r.allow").read_text() + "# more\n")
    commit()
    git("config", "core.fsmonitor", "touch ran; false")
    os.chdir("policies")
    for now in "r.allow", "HEAD:policies/r.allow":
        contains(fails(2, "gate", "HEAD~1:policies/r.allow", now), told.format("HEAD~1", odd, "HEAD~1", odd, now))
    equal(os.path.exists("../ran"), False)


@test
@needs("git")
def a_revision_alone_is_no_policy_that_is_new():
    """Or a gate whose OLD lost its path would judge by nothing."""
    small()
    told = "it is a revision, and no file; write 'main:FILE', or '--base main FILE'"
    for command in (["diff"], ["gate"], ["gate", "--initial"]):
        equal(fails(2, *command, "main", "policies/p.allow"), f"allowc: cannot read 'main': {told}\n")
    equal(fails(2, "diff", "policies/p.allow", "main"), f"allowc: cannot read 'main': {told}\n")
    equal(fails(2, "diff", "none", "policies/p.allow"), "allowc: cannot read 'none': No such file or directory\n")
    write("main", Path("policies/calls.allow").read_text())
    equal("revision" in allowc("diff", "main", "policies/p.allow").stderr, False)


@test
@needs("git")
def a_file_that_a_layer_names_and_the_revision_lacks_is_an_error_there():
    small()
    git("rm", "-q", "--cached", "low.allow")
    git("commit", "-q", "-m", "c")
    done = decided_diff("--base", "main", "policies/p.allow")
    equal((done.returncode, done.stdout), (2, ""))
    equal(done.stderr.splitlines()[0],
          "main:policies/p.allow:2:9: error: the layer 'policies/../low.allow' is not there [layer]")


@test
@needs("git")
def paths_that_leave_the_repository_are_not_there():
    """Though they are there in the file system."""
    write("low.allow", LOW)
    os.mkdir("inner")
    os.chdir("inner")
    repository()
    adr("adr/0001-tools.md", "0001", "Tools", "2026-05-12", "`git`")
    for path in ("../low.allow", f"{os.getcwd()}/../low.allow"):
        write("p.allow", f'policy p\nextends "{path}"\ndecisions "adr"\n')
        commit()
        done = decided_diff("HEAD:p.allow", "p.allow")
        equal((done.returncode, done.stdout), (2, ""))
        contains(done.stderr, f"HEAD:p.allow:2:9: error: the layer '{path}' is not there [layer]")


@test
@needs("git")
def links_lead_where_they_do_in_the_working_folder():
    small()
    os.symlink("policies", "linked")
    os.symlink("policies/p.allow", "one.allow")
    os.symlink("/etc/passwd", "outside.allow")
    os.symlink("loop.allow", "loop.allow")
    commit()
    for path in ("linked/p.allow",):
        equal(decided_diff(f"main:{path}", path).returncode, 0, path)
    equal(fails(2, "diff", "main:outside.allow", "policies/p.allow"),
          "allowc: cannot read 'main:outside.allow': No such file or directory\n")
    equal(fails(2, "diff", "main:loop.allow", "policies/p.allow"),
          "allowc: cannot read 'main:loop.allow': Too many levels of symbolic links\n")


@test
@needs("git")
def replaced_objects_are_not_what_was_committed():
    small()
    blob = git("rev-parse", "main:policies/p.allow").stdout.strip()
    write("other", POLICY + 'allow jq  adr 1  because "cuts"\n')
    other = git("hash-object", "-w", "other").stdout.strip()
    git("replace", blob, other)
    equal(decided_diff("--base", "main", "policies/p.allow").stdout, "main -> policies/p.allow   equivalent\n")


@test
@needs("git")
def a_graft_names_no_other_parent():
    """A file in .git alone would say what HEAD^1 is."""
    small()
    row = 'allow jq  adr 1  because "cuts"\n'
    first = git("rev-parse", "HEAD").stdout.strip()
    git("commit", "-q", "--allow-empty", "-m", "second")
    second = git("rev-parse", "HEAD").stdout.strip()
    write("policies/p.allow", POLICY + row)
    git("commit", "-q", "-a", "-m", "third")
    third = git("rev-parse", "HEAD").stdout.strip()
    git("checkout", "-q", second)
    write("policies/p.allow", POLICY + row)
    write(".git/info/grafts", f"{second} {third}\n")
    contains(decided_diff("--base", "HEAD^1", "policies/p.allow").stdout, "+ allow  jq")
    contains(decided_diff("--base", first, "policies/p.allow").stdout, "+ allow  jq")


@test
@needs("git")
def nothing_is_written():
    small()
    write("policies/p.allow", POLICY + 'allow jq  adr 1  because "cuts"\n')
    before = everything()
    equal(decided_diff("--base", "main", "policies/p.allow").returncode, 1)
    equal(decided_diff("main:policies/p.allow", "main:low.allow").returncode, 1)
    equal(everything(), before)


@test
@needs("git")
def a_git_in_the_working_folder_is_not_started():
    small()
    write("git", "#!/bin/sh\ntouch started\n")
    os.chmod("git", 0o755)
    for path in (".", ":", "./:."):
        done = decided_diff("--base", "main", "policies/p.allow", env=tap.environment(PATH=path))
        equal((done.returncode, done.stderr, os.path.exists("started")),
              (2, "allowc: cannot read 'main:policies/p.allow': git is in no absolute folder of PATH\n", False))


@test
@needs("git")
def variables_of_git_change_nothing():
    small()
    done = decided_diff("--base", "main", "policies/p.allow",
                  env=tap.environment(GIT_DIR="/nowhere", GIT_WORK_TREE="/", GIT_EXTERNAL_DIFF="false"))
    equal((done.returncode, done.stderr), (0, ""))


@test
@needs("git")
def a_file_of_that_name_goes_before_a_revision():
    small()
    Path("main:policies").mkdir()
    write("main:policies/p.allow", 'policy p\ndecisions "../adr"\nallow jq  adr 1  because "cuts"\n')
    equal(decided_diff("main:policies/p.allow", "main:policies/p.allow").stdout,
          "main:policies/p.allow -> main:policies/p.allow   equivalent\n")
    contains(decided_diff("main:policies/p.allow", "./policies/p.allow").stdout, "-> ./policies/p.allow   commands")


@test
@needs("git")
def a_repository_with_longer_names_of_objects():
    git("init", "-q", "--object-format=sha256")
    adr("adr/0001-tools.md", "0001", "Tools", "2026-05-12", "`git`, `docker`")
    write("low.allow", LOW)
    commit()
    write("low.allow", LOW + 'allow git  adr 1  because "clones"\n')
    equal(decided_diff("--base", "HEAD", "low.allow").stdout,
          'HEAD -> low.allow   commands wider +1\nlow/0001 "Tools"  accepted 2026-05-12\n  + allow  git  low.allow:5\n')


tap.main()
