#!/usr/bin/env python3
"""The lists by which allowc knows its own files: ones that are odd, and what a killed run says in its journal."""

import hashlib
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from in_place import read, with_outputs, write  # noqa: E402
import tap  # noqa: E402
from tap import allowc, contains, equal, fails, passes, project, snapshot, test  # noqa: E402

MIB = 1024 * 1024


@test
def a_list_or_journal_that_is_no_such_file_stops_the_run():
    project()
    passes("-q", "p1.allow")
    for name in ("p1.sha256", ".p1.allowc"):
        path = Path("generated", name)
        kept = path.read_bytes() if path.exists() else None
        path.unlink(missing_ok=True)
        path.symlink_to("elsewhere")
        contains(fails(1, "p1.allow"), f"'generated/{name}' is a symbolic link: allowc writes only plain files")
        path.unlink()
        path.mkdir()
        contains(fails(1, "p1.allow"), f"'generated/{name}' is a folder: allowc writes only plain files")
        path.rmdir()
        path.touch()
        os.truncate(path, 256 * MIB + 1)
        contains(fails(1, "p1.allow"), f"'generated/{name}' is too large to be allowc's own: more than 256 MiB")
        path.unlink()
        if kept:
            path.write_bytes(kept)
    passes("p1.allow")


@test
def what_a_killed_run_wrote_of_other_artifacts_is_listed():
    """It wrote p1.json anew, and its list never came; this run does not make p1.json."""
    project()
    passes("-q", "--emit", "+json", "p1.allow")
    project(tap.CHANGED)
    passes("-q", "-o", "next", "--emit", "json", "p1.allow")
    old, new = (Path(folder, "p1.json").read_bytes() for folder in ("generated", "next"))
    hashes = [hashlib.sha256(data).hexdigest() for data in (old, new)]
    Path("generated/.p1.allowc").write_text(f"allowc journal 1\n{hashes[0]} {hashes[1]} p1.json\n", encoding="utf-8")
    Path("generated/p1.json").write_bytes(new)
    passes("-q", "p1.allow")
    contains(Path("generated/p1.sha256").read_text(encoding="utf-8"), f"{hashes[1]}  p1.json\n")
    equal((Path("generated/p1.json").read_bytes(), Path("generated/.p1.allowc").exists()), (new, False))
    # One that somebody edited meanwhile is no more allowc's own than before.
    Path("generated/.p1.allowc").write_text(f"allowc journal 1\n{hashes[1]} {hashes[0]} p1.json\n", encoding="utf-8")
    Path("generated/p1.json").write_bytes(b"{}\n")
    passes("-q", "p1.allow")
    contains(Path("generated/p1.sha256").read_text(encoding="utf-8"), f"{hashes[1]}  p1.json\n")
    equal(Path("generated/p1.json").read_bytes(), b"{}\n")


@test
def a_check_says_that_a_run_was_killed():
    project()
    passes("-q", "p1.allow")
    Path("generated/.p1.allowc").write_text("allowc journal 1\n", encoding="utf-8")
    before = snapshot()
    done = allowc("--check", "p1.allow")
    equal((done.returncode, done.stderr), (1, ""))
    contains(done.stdout, "  killed     generated/.p1.allowc\n")
    equal(snapshot(), before)


@test
def a_folder_that_is_gone_had_nothing_to_remove():
    Path("sub").mkdir()
    with_outputs('output names "sub/c"', 'output names "d"')
    passes("sync", "p1.allow")
    Path("sub/c").unlink()
    Path("sub").rmdir()
    with_outputs('output names "d"')
    contains(passes("sync", "p1.allow").stdout, "  unchanged  d\n  written    p1.sync.sha256\n")
    equal("sub/c" in read("p1.sync.sha256"), False)


@test
def a_file_that_another_list_had_in_another_form_is_not_that_policy_s():
    """Nor is one that the list names twice, and never as it stands."""
    project()
    passes("-q", "--emit", "names", "p1.allow")
    old = hashlib.sha256(b"git\n").hexdigest()
    write("generated/p2.sha256", f"{old}  p1.names\n{old[::-1]}  p1.names\n")
    project(tap.POLICY.replace('allow docker  adr 0001  because "builds"\n', 'allow docker  adr 0001  because "runs"\n'
                               'allow dive  adr 0001  because "looks"\n'))
    contains(passes("--emit", "names", "p1.allow").stdout, "  written    generated/p1.names\n")
    contains(read("generated/p1.names"), "dive\n")


@test
def several_policies_of_a_run_know_their_own_lists_from_the_others():
    for name in ("p1", "p2"):
        project(tap.POLICY.split("plugin")[0].replace("policy p1", f"policy {name}"), f"{name}.allow")
    passes("-q", "--emit", "names", "p1.allow", "p2.allow")
    for name in ("p1", "p2"):
        project(tap.CHANGED.split("plugin")[0].replace("policy p1", f"policy {name}"), f"{name}.allow")
    done = passes("--emit", "names", "p1.allow", "p2.allow")
    equal([line for line in done.stdout.splitlines() if "names" in line],
          ["  written    generated/p1.names", "  written    generated/p2.names"])


@test
def one_path_gets_one_whole_file():
    with_outputs('output c-header "tools"', 'output names "tools"')
    contains(fails(1, "sync", "p1.allow"), "'tools' is written twice [output]")
    equal(Path("tools").exists(), False)


@test
def what_stands_where_the_next_list_is_put_together_is_no_list():
    with_outputs('output names "c"')
    write(".p1.sync.sha256.allowc", "mine\n")
    done = allowc("sync", "p1.allow")
    equal((done.returncode, done.stdout), (2, ""))
    contains(done.stderr, "'.p1.sync.sha256.allowc' is in the way, beside 'p1.sync.sha256': move it away or delete it")
    equal((Path("c").exists(), read(".p1.sync.sha256.allowc")), (False, "mine\n"))


if __name__ == "__main__":
    tap.main()
