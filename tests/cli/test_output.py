#!/usr/bin/env python3
"""What a run does to the output folder: what it writes, leaves, removes and refuses."""

import os
import re
import struct
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import allowc, contains, equal, fails, needs, needs_root, passes, project, snapshot, test  # noqa: E402

# Its policies deny by name alone, so a profile for engines warns.
NO_WARNING = "-Wno-oci-replaces-default"


def states(done):
    """{path: "written"} of the summary's lines."""
    return {path: state for state, path in re.findall(r"^  (\S+(?: \S+)?) {2,}(.+)$", done.stdout, re.M)}


def age(*paths):
    """Gives files an old time stamp, to see who is touched."""
    for path in paths:
        os.utime(path, (1000000000, 1000000000))


def touched(path):
    return os.stat(path).st_mtime != 1000000000


def checked():
    """NAME.sha256 holds for what is there."""
    done = subprocess.run(["sha256sum", "--strict", "-c", "p1.sha256"], cwd="generated", capture_output=True,
                          text=True, check=False)
    equal((done.returncode, done.stderr), (0, ""), done.stdout)
    return [line.rsplit(": ", 1)[0] for line in done.stdout.splitlines()]


@test
def all_artifacts_are_listed_sorted_and_check():
    project()
    done = passes("p1.allow")
    equal(set(states(done).values()), {"written"})
    names = checked()
    equal(names, sorted(names))
    files = [name for name, text in snapshot().items() if text is not None and name != "p1.sha256"]
    equal(names, sorted(files))
    equal({"generated/" + name for name in names} | {"generated/p1.sha256"}, set(states(done)))
    equal(list(states(done))[-1], "generated/p1.sha256")


@test
def what_does_not_change_is_not_touched():
    project()
    passes("p1.allow")
    files = [f"generated/{name}" for name, text in snapshot().items() if text is not None]
    age(*files, "generated", "generated/plugins")
    equal(set(states(passes("p1.allow")).values()), {"unchanged"})
    equal([name for name in (*files, "generated", "generated/plugins") if touched(name)], [])


@test
def only_what_changes_is_written():
    project()
    passes("p1.allow")
    project(tap.POLICY.replace("tools git", "tools git, docker"))
    files = [f"generated/{name}" for name, text in snapshot().items() if text is not None]
    age(*files)
    done = states(passes("p1.allow"))
    equal(done["generated/plugins/first/plugin.yaml"], "written")
    equal(done["generated/p1.sha256"], "written")
    equal([name for name in files if touched(name)], [name for name in files if done[name] == "written"])
    checked()


@test
def dash_n_says_and_writes_nothing():
    project()
    done = passes("-n", "p1.allow")
    equal(set(states(done).values()), {"to write"})
    equal(os.path.exists("generated"), False)
    passes("p1.allow")
    before = snapshot()
    project(tap.CHANGED)
    done = states(passes("--dry-run", "p1.allow"))
    equal(done["generated/plugins/second/plugin.yaml"], "to remove")
    equal(done["generated/plugins/third/plugin.yaml"], "to write")
    equal(snapshot(), before)
    equal(states(passes("p1.allow")), {
        path: {"to write": "written", "to remove": "removed"}.get(state, state)
        for path, state in done.items()})


@test
def dash_n_meets_the_same_refusals():
    project()
    os.mkdir("generated")
    Path("generated/p1.h").write_text("mine\n", encoding="utf-8")
    contains(fails(1, "-n", "p1.allow"), "'generated/p1.h'")


@test
def dash_o_makes_folders_of_any_name():
    project()
    for folder in ("out", "a/b/c", "with blank/ü", "line\nbreak", "slash///", "./.", "../" + Path.cwd().name + "/up"):
        passes("-q", "-o", folder, "p1.allow")
        equal(os.path.exists(f"{folder}/p1.sha256"), True, folder)
    done = passes("-o", "line\nbreak", "p1.allow")
    contains(done.stdout, "  unchanged  line\\u{a}break/p1.h\n")
    contains(passes("-o", "slash///", "p1.allow").stdout, "  unchanged  slash/p1.h\n")
    equal(os.path.exists("generated"), False)


@test
def emit_chooses_adds_and_takes_all():
    project()
    passes("-q", "--emit", "c-header", "p1.allow")
    equal(sorted(os.listdir("generated")), ["p1.h", "p1.sha256"])
    passes("-q", "-o", "plus", "--emit=+json", "p1.allow")
    passes("-q", "-o", "plain", "p1.allow")
    equal(set(os.listdir("plus")) - set(os.listdir("plain")), {"p1.json"})
    passes("-q", "-o", "all", "--emit", "all", NO_WARNING, "p1.allow")
    equal(set(os.listdir("plus")) <= set(os.listdir("all")), True)


@test
def entries_of_backends_that_are_not_selected_stay():
    project()
    passes("-q", "--emit", "+json", "p1.allow")
    json = Path("generated/p1.json").read_bytes()
    project(tap.CHANGED)
    passes("-q", "p1.allow")
    equal(Path("generated/p1.json").read_bytes(), json)
    contains("\n".join(checked()), "p1.json")


def lagging(*arguments):
    """{path: word} that --check shows; it must write nothing."""
    before = snapshot()
    done = allowc("--check", *arguments, "p1.allow")
    equal((done.returncode, done.stderr), (1, ""))
    equal(snapshot(), before)
    return {path: word for word, path in re.findall(r"^  (\w+) +(generated/.+)$", done.stdout, re.M)}, done.stdout


@test
def check_is_content_with_what_was_written():
    project()
    passes("-q", "p1.allow")
    equal(passes("--check", "p1.allow").stdout, "")


@test
def check_shows_missing_artifacts():
    project()
    words, text = lagging()
    equal(set(words.values()), {"missing"})
    contains(text, "--- /dev/null\n+++ generated/p1.h\n@@ -0,0 +1,")
    equal(os.path.exists("generated"), False)


@test
def check_shows_stale_and_orphaned_artifacts():
    project()
    passes("-q", "p1.allow")
    project(tap.CHANGED)
    words, text = lagging()
    equal(words["generated/p1.h"], "stale")
    equal(words["generated/p1.sha256"], "stale")
    equal(words["generated/plugins/second/plugin.yaml"], "orphaned")
    equal(words["generated/plugins/third/plugin.yaml"], "missing")
    contains(text, "--- generated/plugins/second/plugin.yaml\n+++ /dev/null\n")
    equal(allowc("--check", "-q", "p1.allow").stdout, "")


@test
def check_shows_edited_and_foreign_files():
    project()
    passes("-q", "p1.allow")
    with open("generated/p1.h", "a", encoding="utf-8") as header:
        header.write("edited\n")
    equal(lagging()[0], {"generated/p1.h": "edited"})
    contains(lagging()[1], "\n-edited\n")
    passes("-q", "p1.allow")
    project(tap.CHANGED)
    Path("generated/plugins/third").mkdir()
    Path("generated/plugins/third/plugin.yaml").write_text("mine\n", encoding="utf-8")
    equal(lagging()[0]["generated/plugins/third/plugin.yaml"], "foreign")


@test
@needs("patch")
def the_diff_of_check_is_a_patch():
    project()
    passes("-q", "--emit", "c-header,plugin-yaml", "p1.allow")
    project(tap.CHANGED)
    text = lagging("--emit", "c-header,plugin-yaml")[1]
    subprocess.run(["patch", "-s", "-p0"], input=text, text=True, check=True)
    equal(passes("--check", "--emit", "c-header,plugin-yaml", "p1.allow").stdout, "")


@test
def list_outputs_prints_paths_alone():
    project()
    paths = passes("--list-outputs", "p1.allow").stdout.splitlines()
    equal(os.path.exists("generated"), False)
    passes("-q", "p1.allow")
    found = [f"generated/{name}" for name, text in snapshot().items() if text is not None]
    equal(sorted(paths), sorted(found))
    equal(passes("--list-outputs", "-o", "x", "--emit", "c-header", "p1.allow").stdout, "x/p1.h\nx/p1.sha256\n")


@test
def list_outputs_reads_no_adr():
    project(tap.POLICY.replace("0001", "0099"))
    equal(allowc("check", "p1.allow").returncode, 1)
    contains(passes("--list-outputs", "p1.allow").stdout, "generated/p1.h\n")


@test
def a_foreign_file_in_the_way_stops_everything():
    project()
    os.mkdir("generated")
    Path("generated/p1.bpf").write_bytes(b"mine")
    error = fails(1, "p1.allow")
    equal(error,
          "allowc: error: 'generated/p1.bpf' is not allowc's own: it is neither listed in p1.sha256 nor marked as "
          "generated [output]\n"
          "allowc: help: move it away or delete it, or write elsewhere with -o DIR\n")
    equal(snapshot(), {"p1.bpf": b"mine"})
    equal(passes("-q", "-o", "other", "p1.allow").stdout, "")


@test
def every_foreign_file_is_named():
    project()
    os.makedirs("generated/plugins/first")
    for name in ("p1.h", "p1.bpf", "plugins/first/plugin.yaml"):
        Path("generated", name).write_text("mine\n", encoding="utf-8")
    error = fails(1, "p1.allow")
    for name in ("p1.h", "p1.bpf", "plugins/first/plugin.yaml"):
        contains(error, f"'generated/{name}' is not allowc's own")


@test
def a_file_with_the_right_bytes_is_adopted():
    project()
    passes("-q", "p1.allow")
    before = snapshot()
    os.unlink("generated/p1.sha256")
    equal(states(passes("p1.allow"))["generated/p1.bpf"], "unchanged")
    equal(snapshot(), before)


@test
def an_edited_file_without_a_mark_is_not_overwritten():
    project()
    passes("-q", "p1.allow")
    Path("generated/p1.bpf").write_bytes(b"edited")
    before = snapshot()
    project(tap.CHANGED)
    contains(fails(1, "p1.allow"), "'generated/p1.bpf' was edited since allowc wrote it [output]")
    equal(snapshot(), before)
    os.unlink("generated/p1.bpf")
    passes("-q", "p1.allow")
    checked()


@test
def an_edited_file_with_the_mark_is_written_anew():
    project()
    passes("-q", "p1.allow")
    before = snapshot()
    with open("generated/p1.h", "a", encoding="utf-8") as header:
        header.write("/* edited */\n")
    contains(passes("-n", "p1.allow").stdout, "  to replace  generated/p1.h  (edited by hand)\n")
    contains(passes("p1.allow").stdout, "  replaced   generated/p1.h  (edited by hand)\n")
    equal(snapshot(), before)
    os.unlink("generated/p1.sha256")
    project(tap.CHANGED)
    Path("generated/p1.bpf").unlink()
    contains(passes("p1.allow").stdout, "  replaced   generated/p1.h  (p1.sha256 did not list it)\n")


def two_with_one_plugin():
    project()
    Path("p2.allow").write_text(
        tap.POLICY.replace("policy p1", "policy p2").replace('"adr"', 'p1 "adr"').replace("adr 0001", "adr p1/0001"),
        encoding="utf-8")


ANOTHERS = ("'generated/plugins/first/plugin.yaml' is an artifact of policy 'p1', and policy 'p2' would replace it "
            "[output]\n")


@test
def an_artifact_of_another_policy_is_not_replaced():
    two_with_one_plugin()
    contains(fails(1, "p1.allow", "p2.allow"), ANOTHERS)
    equal(os.path.exists("generated"), False)
    passes("-q", "p1.allow")
    before = snapshot()
    for arguments in ([], ["-n"], ["--check"]):
        error = fails(1, *arguments, "p2.allow")
        contains(error, ANOTHERS)
        contains(error, "where policy 'p1' is no more, delete p1.sha256 and the files that it lists\n")
    equal(snapshot(), before)
    passes("-q", "-o", "other", "p2.allow")
    os.unlink("generated/p1.sha256")
    passes("-q", "p2.allow")


@test
def several_policies_are_written_together_or_not_at_all():
    project()
    Path("p2.allow").write_text(tap.POLICY.replace("policy p1", "policy p2").split("plugin")[0].replace(
        '"adr"', 'p1 "adr"').replace("adr 0001", "adr p1/0001"), encoding="utf-8")
    os.mkdir("generated")
    Path("generated/p2.bpf").write_bytes(b"mine")
    contains(fails(1, "p1.allow", "p2.allow"), "'generated/p2.bpf' is not allowc's own")
    equal(snapshot(), {"p2.bpf": b"mine"})
    os.unlink("generated/p2.bpf")
    done = passes("p1.allow", "p2.allow").stdout
    equal([line.split(":")[0] for line in done.splitlines() if " allowed, " in line], ["p1", "p2"])


@test
def a_profile_follows_what_the_policy_denies():
    """By default where it denies by omission; afterwards it stays, and is said to be out of date"""
    profile = "generated/p1.seccomp.json"
    project(tap.POLICY + "seccomp {\n    default errno EPERM\n}\n")
    contains(passes("p1.allow").stdout, f"  written    {profile}\n")
    written = Path(profile).read_bytes()
    project(tap.POLICY)
    contains(passes("p1.allow").stdout, f"  kept       {profile}  (out of date: --emit +oci-seccomp)\n")
    equal(Path(profile).read_bytes(), written)
    project(tap.POLICY + "seccomp {\n    default errno EPERM\n}\n")
    contains(passes("p1.allow").stdout, f"  unchanged  {profile}\n")
    contains(passes("p1.allow", "--emit", "json").stdout, "  written    generated/p1.json\n")
    equal(profile in passes("--emit", "json", "--list-outputs", "p1.allow").stdout, False)


@test
def what_is_listed_and_not_selected_is_checked_and_said():
    project()
    passes("-q", "--emit", "all", NO_WARNING, "p1.allow")
    equal(passes("--check", NO_WARNING, "p1.allow").stdout, "")
    equal("kept" in passes("p1.allow").stdout, False)
    project(tap.CHANGED)
    done = passes("p1.allow").stdout
    for name, emit in (("p1.json", "json"), ("p1.seccomp.txt", "listing"), ("p1.names", "names")):
        contains(done, f"  kept       generated/{name}  (out of date: --emit +{emit})\n")
    equal(lagging(NO_WARNING)[0]["generated/p1.json"], "stale")
    passes("-q", "--emit", "all", NO_WARNING, "p1.allow")
    equal(passes("--check", NO_WARNING, "p1.allow").stdout, "")


@test
def a_mark_after_4096_bytes_is_none():
    project()
    os.mkdir("generated")
    Path("generated/p1.h").write_text(" " * 4090 + "Generated by allowc from p1.allow", encoding="utf-8")
    contains(fails(1, "p1.allow"), "'generated/p1.h' is not allowc's own")
    Path("generated/p1.h").write_text(" " * 4000 + "Generated by allowc from p1.allow", encoding="utf-8")
    passes("-q", "p1.allow")


@test
def orphans_go_with_their_empty_folders():
    project()
    passes("-q", "p1.allow")
    project(tap.CHANGED)
    equal(states(passes("p1.allow"))["generated/plugins/second/plugin.yaml"], "removed")
    equal(sorted(os.listdir("generated/plugins")), ["first", "third"])
    checked()


@test
def a_folder_with_other_things_in_it_stays():
    project()
    passes("-q", "p1.allow")
    Path("generated/plugins/second/notes").write_text("mine", encoding="utf-8")
    project(tap.CHANGED)
    passes("-q", "p1.allow")
    equal(os.listdir("generated/plugins/second"), ["notes"])


@test
def an_edited_orphan_is_kept_and_said():
    project()
    passes("-q", "p1.allow")
    with open("generated/plugins/second/plugin.yaml", "a", encoding="utf-8") as manifest:
        manifest.write("# mine\n")
    project(tap.CHANGED)
    for _ in range(2):
        done = allowc("-q", "p1.allow")
        equal((done.returncode, done.stdout), (0, ""))
        contains(done.stderr, "warning: 'generated/plugins/second/plugin.yaml' is no longer produced; it was edited "
                              "since allowc wrote it, so it stays [-Worphan]")
    contains(Path("generated/plugins/second/plugin.yaml").read_text(encoding="utf-8"), "# mine\n")
    before = snapshot()
    contains(fails(1, "-Werror", "p1.allow"), "[-Werror=orphan]")
    equal(snapshot(), before)


@test
def a_removed_orphan_is_forgotten():
    project()
    passes("-q", "p1.allow")
    os.unlink("generated/plugins/second/plugin.yaml")
    project(tap.CHANGED)
    passes("-q", "p1.allow")
    equal([name for name in checked() if "second" in name], [])


@test
def lists_that_lead_out_of_the_folder_lead_nowhere():
    project()
    passes("-q", "p1.allow")
    Path("victim").write_text("precious\n", encoding="utf-8")
    digest = subprocess.run(["sha256sum", "victim"], capture_output=True, text=True, check=True).stdout.split()[0]
    with open("generated/p1.sha256", "a", encoding="utf-8") as listing:
        listing.write(f"{digest}  plugins/../../victim\n")
        listing.write(f"{digest}  {os.getcwd()}/victim\n")
    passes("-q", "p1.allow")
    equal(Path("victim").read_text(encoding="utf-8"), "precious\n")


@test
def a_list_that_is_none_is_not_overwritten():
    project()
    passes("-q", "p1.allow")
    with open("generated/p1.sha256", "a", encoding="utf-8") as listing:
        listing.write("<<<<<<< main\n")
    before = snapshot()
    lines = before["p1.sha256"].count(b"\n")
    contains(fails(1, "p1.allow"),
             f"'generated/p1.sha256' is not the list that allowc wrote: line {lines} is no line of sha256sum")
    equal(snapshot(), before)


@test
def links_and_folders_in_the_way_are_refused():
    project()
    os.makedirs("generated/p1.bpf")
    os.mkdir("elsewhere")
    os.symlink("../elsewhere/p1.h", "generated/p1.h")
    os.symlink("../elsewhere", "generated/plugins")
    error = fails(1, "p1.allow")
    contains(error, "'generated/p1.bpf' is a folder")
    contains(error, "'generated/p1.h' is a symbolic link")
    contains(error, "'generated/plugins' is a symbolic link")
    equal(os.listdir("elsewhere"), [])
    os.unlink("generated/plugins")
    Path("generated/plugins").write_text("mine", encoding="utf-8")
    contains(fails(1, "p1.allow"), "'generated/plugins' is no folder")


@test
def a_pipe_in_the_way_does_not_block():
    project()
    os.mkdir("generated")
    os.mkfifo("generated/p1.h")
    contains(fails(1, "p1.allow"), "'generated/p1.h' is no plain file")


@test
def a_link_to_the_output_folder_is_followed():
    project()
    os.mkdir("elsewhere")
    os.symlink("elsewhere", "generated")
    passes("-q", "p1.allow")
    equal(os.path.exists("elsewhere/p1.sha256"), True)


@test
def a_link_that_leads_nowhere_is_trouble():
    project()
    os.symlink("nowhere", "generated")
    equal(fails(2, "p1.allow"), "allowc: cannot open the folder 'generated': No such file or directory\n")


@test
def a_file_in_place_of_the_folder_is_trouble():
    project()
    Path("generated").write_text("mine", encoding="utf-8")
    equal(fails(2, "p1.allow"), "allowc: cannot open the folder 'generated': Not a directory\n")
    equal(fails(2, "-o", "generated/x", "p1.allow"), "allowc: cannot open the folder 'generated/x': Not a directory\n")


@test
def a_rejected_policy_leaves_the_artifacts():
    project()
    passes("-q", "p1.allow")
    before = snapshot()
    project(tap.CHANGED + "alow x\n")
    fails(1, "p1.allow")
    equal(snapshot(), before)


@test
def modes_follow_the_umask_and_are_kept():
    project()
    old = os.umask(0o027)
    try:
        passes("-q", "p1.allow")
        equal(oct(os.stat("generated/p1.h").st_mode & 0o7777), "0o640")
        equal(oct(os.stat("generated").st_mode & 0o777), "0o750")
        os.chmod("generated/p1.h", 0o444)
        os.chmod("generated/p1.sha256", 0o666)
        project(tap.CHANGED)
        passes("-q", "p1.allow")
    finally:
        os.umask(old)
    equal(oct(os.stat("generated/p1.h").st_mode & 0o7777), "0o444")
    equal(oct(os.stat("generated/p1.sha256").st_mode & 0o7777), "0o666")
    checked()


# Version 2: the owner rw-, the user 1234 r--, the group r--, the mask r--, others ---.
ACL = struct.pack("<I" + "HHI" * 5, 2, 1, 6, 0xffffffff, 2, 4, 1234, 4, 4, 0xffffffff, 16, 4, 0xffffffff,
                  32, 0, 0xffffffff)  # fmt: skip


def give(path, name, value):
    try:
        os.setxattr(path, name, value)
    except OSError as error:
        raise suite.Impossible(f"{name}: {error}") from error


@test
def an_access_list_and_attributes_stay():
    project()
    passes("-q", "p1.allow")
    give("generated/p1.h", "system.posix_acl_access", ACL)
    give("generated/p1.h", "user.kept", b"a\0b")
    project(tap.CHANGED)
    age("generated/p1.h")
    passes("-q", "p1.allow")
    equal(touched("generated/p1.h"), True)
    equal(os.getxattr("generated/p1.h", "system.posix_acl_access"), ACL)
    equal(os.getxattr("generated/p1.h", "user.kept"), b"a\0b")


@test
@needs("setpriv")
@needs_root
def an_artifact_that_its_owner_may_not_write_keeps_its_attributes():
    # The kernel lets nobody but root give one to a file whose mode does not let them write.
    project()
    passes("-q", "p1.allow")
    give("generated/p1.h", "user.kept", b"a")
    give("generated/p1.h", "system.posix_acl_access", ACL)
    os.chmod("generated/p1.h", 0o444)
    for folder, _, files in os.walk("."):
        for name in (folder, *(os.path.join(folder, name) for name in files)):
            os.chown(name, 65534, 65534)
    project(tap.CHANGED)
    age("generated/p1.h")
    passes("-q", "p1.allow", before=["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"])
    equal(touched("generated/p1.h"), True)
    equal(os.getxattr("generated/p1.h", "user.kept"), b"a")
    equal(oct(os.stat("generated/p1.h").st_mode & 0o7777), "0o444")


@test
@needs("setpriv")
@needs_root
def an_artifact_of_another_owner_keeps_its_group():
    # A member of the group may give a file to it, and to no other owner.
    project()
    passes("-q", "p1.allow")
    for folder, _, files in os.walk("."):
        for name in (folder, *(os.path.join(folder, name) for name in files)):
            os.chown(name, 65534, 65534)
    os.chown("generated/p1.h", 1234, 4321)
    os.chmod("generated/p1.h", 0o660)
    project(tap.CHANGED)
    passes("-q", "p1.allow", before=["setpriv", "--reuid=65534", "--regid=65534", "--groups=4321"])
    status = os.stat("generated/p1.h")
    equal((status.st_uid, status.st_gid, oct(status.st_mode & 0o7777)), (65534, 4321, "0o660"))


def rewrite_by_another_user():
    """That of "generated/p1.h", by a user who may not give it to its owner or group."""
    for folder, _, files in os.walk("."):
        for name in (folder, *(os.path.join(folder, name) for name in files)):
            if name != "./generated/p1.h":
                os.chown(name, 65534, 65534)
    project(tap.CHANGED)
    passes("-q", "p1.allow", before=["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"])
    status = os.stat("generated/p1.h")
    equal((status.st_uid, status.st_gid), (65534, 65534))
    project()
    return status.st_mode & 0o7777


@test
@needs("setpriv")
@needs_root
def a_group_that_takes_another_ones_place_gets_no_more_than_all():
    # Nor do all, among whom the old group is then, get more than it had.
    project()
    for old, new in ((0o664, 0o644), (0o646, 0o644), (0o6775, 0o755), (0o644, 0o644)):
        passes("-q", "p1.allow")
        os.chown("generated/p1.h", 1234, 4321)
        os.chmod("generated/p1.h", old)
        equal((oct(old), oct(rewrite_by_another_user())), (oct(old), oct(new)))


@test
@needs("setpriv")
@needs_root
def a_group_that_takes_another_ones_place_in_a_list_gets_no_more_than_all():
    def acl(group, mask, others):
        return struct.pack("<I" + "HHI" * 5, 2, 1, 6, 0xffffffff, 2, 6, 1234, 4, group, 0xffffffff,
                           16, mask, 0xffffffff, 32, others, 0xffffffff)  # fmt: skip

    project()
    for old, new, mode in ((acl(6, 6, 4), acl(4, 6, 4), 0o664), (acl(6, 4, 6), acl(4, 4, 4), 0o644)):
        passes("-q", "p1.allow")
        os.chown("generated/p1.h", 1234, 4321)
        give("generated/p1.h", "system.posix_acl_access", old)
        os.chmod("generated/p1.h", os.stat("generated/p1.h").st_mode & 0o777 | 0o2000)
        equal(oct(rewrite_by_another_user()), oct(mode))
        equal(os.getxattr("generated/p1.h", "system.posix_acl_access"), new)


@test
def a_rewritten_artifact_gets_no_access_list_from_its_folder():
    project()
    passes("-q", "p1.allow")
    os.chmod("generated/p1.h", 0o660)
    give("generated", "system.posix_acl_default", ACL)
    project(tap.CHANGED)
    age("generated/p1.h")
    passes("-q", "p1.allow")
    equal(touched("generated/p1.h"), True)
    equal("system.posix_acl_access" in os.listxattr("generated/p1.h"), False)
    equal(oct(os.stat("generated/p1.h").st_mode & 0o7777), "0o660")


@test
def two_policies_share_a_folder():
    project()
    Path("p2.allow").write_text(tap.POLICY.replace("policy p1", "policy p2").split("plugin")[0].replace(
        '"adr"', 'p1 "adr"').replace("adr 0001", "adr p1/0001"), encoding="utf-8")
    passes("-q", "p1.allow", "p2.allow")
    before = snapshot()
    passes("-q", "p2.allow")
    passes("-q", "p1.allow")
    equal(snapshot(), before)
    checked()


@test
def runs_into_one_folder_take_turns():
    project()
    Path("changed.allow").write_text(tap.CHANGED, encoding="utf-8")
    passes("-q", "p1.allow")
    ends = [snapshot()]
    passes("-q", "changed.allow")
    ends.append(snapshot())
    for _ in range(5):
        runs = [subprocess.Popen([*suite.program(), "-q", name], stderr=subprocess.PIPE)
                for name in ("p1.allow", "changed.allow") * 6]
        for run in runs:
            equal((run.communicate()[1], run.returncode), (b"", 0))
        equal(snapshot() in ends, True)


@test
@needs("flock")
def a_run_waits_for_the_lock():
    project()
    os.mkdir("generated")
    with subprocess.Popen(["flock", "generated", "sh", "-c", "echo; read x"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as holder:
        holder.stdout.readline()
        with subprocess.Popen([*suite.program(), "-q", "p1.allow"]) as run:
            try:
                run.wait(0.3)
                raise AssertionError("it did not wait")
            except subprocess.TimeoutExpired:
                equal(os.listdir("generated"), [])
            holder.communicate(b"\n")
            equal(run.wait(20), 0)
    checked()


@test
@needs("gcc", "g++")
def headers_of_all_policies_go_into_one_unit():
    project()
    names = ("p", "p_seccomp", "p_filter", "p-install", "a-b")
    for name in names:
        Path(f"{name}.allow").write_text(tap.POLICY.replace("policy p1", f"policy {name}"), encoding="utf-8")
        passes("-q", "--emit", "c-header,seccomp", f"{name}.allow")
    lines = [f'#include "generated/{name}{suffix}"\n' for name in names for suffix in (".h", ".seccomp.h")]
    calls = "".join(f'{name.replace("-", "_")}_install_filter() + {name.replace("-", "_")}_allowed("git") + '
                    for name in names)
    Path("unit.c").write_text("".join(lines) + f"int f(void);\nint f(void) {{ return {calls}0; }}\n", encoding="utf-8")
    for compiler in (["gcc", "-std=c99"], ["g++", "-std=c++11", "-x", "c++"]):
        subprocess.run([*compiler, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "unit.c"], check=True)


tap.main()
