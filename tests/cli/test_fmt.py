#!/usr/bin/env python3
"""allowc fmt: which files it writes, what stays of them, and what it says."""

import json
import os
import resource
import stat
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import allowc, contains, equal, fails, needs, needs_root, passes, test  # noqa: E402

LOOSE = 'policy   p\nallow git because "clones"   adr 0001\n'
TIDY = 'policy p\nallow git  adr 0001  because "clones"\n'
BROKEN = 'policy   p\nallow git becuse "clones"   adr 0001\n'
OLD = 1000000000


def write(path, text):
    Path(path).write_bytes(text.encode() if isinstance(text, str) else text)


def read(path):
    return Path(path).read_bytes().decode()


def only(*names):
    """No temporary file is left."""
    equal(sorted(os.listdir(".")), sorted(names))


# ---- what is written ----


@test
def a_file_is_written_in_place():
    write("p.allow", LOOSE)
    equal(passes("fmt", "p.allow").stdout, "  written    p.allow\n")
    equal(read("p.allow"), TIDY)
    only("p.allow")


@test
def a_file_in_its_layout_is_not_touched():
    write("p.allow", TIDY)
    os.utime("p.allow", (OLD, OLD))
    before = os.stat("p.allow")
    equal(passes("fmt", "p.allow").stdout, "  unchanged  p.allow\n")
    after = os.stat("p.allow")
    equal((after.st_ino, after.st_mtime_ns, after.st_ctime_ns),
          (before.st_ino, before.st_mtime_ns, before.st_ctime_ns))


@test
def quiet_says_nothing():
    write("p.allow", LOOSE)
    equal(passes("fmt", "-q", "p.allow").stdout, "")
    equal(read("p.allow"), TIDY)
    write("p.allow", LOOSE)
    equal(fails(1, "fmt", "-q", "--check", "p.allow"), "")


@test
def line_ends_of_windows_and_a_byte_order_mark_go():
    write("p.allow", "\ufeff" + TIDY.replace("\n", "\r\n"))
    done = allowc("fmt", "--check", "p.allow", stdout=subprocess.PIPE)
    equal((done.returncode, done.stderr), (1, ""))
    contains(done.stdout, "-\ufeffpolicy p")
    passes("fmt", "p.allow")
    equal(Path("p.allow").read_bytes(), TIDY.encode())
    write("p.allow", "\ufeff" + TIDY)
    equal(passes("fmt", "p.allow").stdout, "  written    p.allow\n")
    equal(Path("p.allow").read_bytes(), TIDY.encode())


@test
def a_last_line_without_its_end_gets_one():
    write("p.allow", TIDY.rstrip("\n"))
    passes("fmt", "p.allow")
    equal(read("p.allow"), TIDY)


@test
def a_library_is_laid_out_too():
    write("groups.allow", "syscalls @a {ptrace,kcmp}\n")
    passes("fmt", "groups.allow")
    equal(read("groups.allow"), "syscalls @a {\n    ptrace, kcmp\n}\n")


@test
def a_policy_whose_layers_and_adrs_are_missing_has_a_layout():
    write("p.allow", LOOSE.replace("\n", '\nextends   nowhere\ndecisions "nowhere"\n', 1))
    passes("fmt", "p.allow")
    equal(read("p.allow").splitlines()[1:3], ["extends nowhere", 'decisions "nowhere"'])


# ---- what stays ----


@test
def the_mode_stays():
    write("p.allow", LOOSE)
    os.chmod("p.allow", 0o640)
    passes("fmt", "p.allow")
    equal(stat.S_IMODE(os.stat("p.allow").st_mode), 0o640)


@test
@needs_root
def the_owner_stays():
    write("p.allow", LOOSE)
    os.chown("p.allow", 12345, 54321)
    passes("fmt", "p.allow")
    after = os.stat("p.allow")
    equal((after.st_uid, after.st_gid), (12345, 54321))


@test
def extended_attributes_stay():
    write("p.allow", LOOSE)
    try:
        os.setxattr("p.allow", "user.note", b"kept")
    except OSError as error:
        raise suite.Impossible(f"no extended attributes: {error}") from error
    passes("fmt", "p.allow")
    equal(os.getxattr("p.allow", "user.note"), b"kept")


@test
def a_file_with_another_name_is_not_written():
    write("p.allow", LOOSE)
    os.link("p.allow", "other")
    equal(fails(2, "fmt", "p.allow"), "allowc: 'p.allow' has another name (a hard link), which would keep the old text: "
          "it is not written\n")
    equal((read("p.allow"), read("other")), (LOOSE, LOOSE))


@test
def a_symbolic_link_stays_and_the_file_behind_it_is_written():
    os.mkdir("folder")
    write("folder/real.allow", LOOSE)
    os.symlink("folder/real.allow", "p.allow")
    equal(passes("fmt", "p.allow").stdout, "  written    p.allow\n")
    equal((os.readlink("p.allow"), read("folder/real.allow")), ("folder/real.allow", TIDY))
    equal(os.listdir("folder"), ["real.allow"])


# ---- what is refused ----


@test
def a_broken_file_stays_and_the_others_are_written():
    for name, text in (("a.allow", LOOSE), ("b.allow", BROKEN), ("c.allow", LOOSE)):
        write(name, text)
    done = allowc("fmt", "a.allow", "b.allow", "c.allow")
    equal((done.returncode, done.stdout), (1, "  written    a.allow\n  written    c.allow\n"))
    contains(done.stderr, "b.allow:2:11: error: unknown attribute 'becuse' [syntax]")
    equal([read(f"{name}.allow") for name in "abc"], [TIDY, BROKEN, TIDY])


@test
def a_broken_standard_input_prints_nothing():
    contains(fails(1, "fmt", "-", input=BROKEN), "<stdin>:2:11: error: ")


@test
def a_missing_file_is_trouble_and_the_others_are_written():
    write("p.allow", LOOSE)
    done = allowc("fmt", "missing.allow", "p.allow")
    equal((done.returncode, done.stdout), (2, "  written    p.allow\n"))
    equal(done.stderr, "allowc: cannot read 'missing.allow': No such file or directory\n")


@test
@needs("setpriv")
@needs_root
def a_file_that_may_not_be_written_stays():
    write("p.allow", LOOSE)
    os.chmod("p.allow", 0o444)
    os.chmod(".", 0o777)
    done = allowc("fmt", "p.allow", before=["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"])
    equal((done.returncode, done.stderr), (2, "allowc: cannot write 'p.allow': Permission denied\n"))
    equal(read("p.allow"), LOOSE)
    only("p.allow")


@test
def what_is_no_file_is_not_written():
    os.mkfifo("pipe")
    with subprocess.Popen(["sh", "-c", f"printf '%s' '{LOOSE}' > pipe"]):
        equal(fails(2, "fmt", "pipe"), "allowc: cannot write 'pipe': it is no regular file\n")
    equal(stat.S_ISFIFO(os.stat("pipe").st_mode), True)


@test
def what_stands_where_the_temporary_file_goes_stays():
    write("p.allow", LOOSE)
    write(".p.allow.allowc", "mine\n")
    equal(fails(2, "fmt", "p.allow"),
          "allowc: '.p.allow.allowc' is in the way, beside 'p.allow': move it away or delete it\n")
    equal((read("p.allow"), read(".p.allow.allowc")), (LOOSE, "mine\n"))


@test
def what_a_killed_run_left_is_taken_away():
    write("p.allow", LOOSE)
    write(".p.allow.allowc", TIDY[:9])
    passes("fmt", "p.allow")
    equal(read("p.allow"), TIDY)
    only("p.allow")


# ---- the rest of the command line ----


@test
def standard_input_is_printed():
    equal(passes("fmt", "-", input=LOOSE).stdout, TIDY)
    equal(passes("fmt", "-", input=TIDY).stdout, TIDY)


@test
def check_prints_a_diff_that_patch_takes():
    write("p.allow", LOOSE)
    os.utime("p.allow", (OLD, OLD))
    done = allowc("fmt", "--check", "p.allow")
    equal((done.returncode, done.stderr), (1, ""))
    equal((read("p.allow"), os.stat("p.allow").st_mtime), (LOOSE, OLD))
    suite.need("patch")
    subprocess.run(["patch", "-s", "-p0"], input=done.stdout, text=True, check=True)
    equal(read("p.allow"), TIDY)
    equal(passes("fmt", "--check", "p.allow").stdout, "")


@test
def check_of_standard_input_and_files():
    write("a.allow", LOOSE)
    write("b.allow", TIDY)
    done = allowc("fmt", "--check", "a.allow", "-", "b.allow", input=LOOSE)
    equal((done.returncode, done.stderr), (1, ""))
    equal([line for line in done.stdout.splitlines() if line.startswith("---")], ["--- a.allow", "--- <stdin>"])


@test
def a_file_named_twice_is_laid_out_once():
    write("p.allow", LOOSE)
    os.symlink("p.allow", "q.allow")
    equal(passes("fmt", "p.allow", "p.allow", "q.allow").stdout, "  written    p.allow\n  unchanged  q.allow\n")
    equal(read("p.allow"), TIDY)


@test
def diagnostics_of_all_files_are_one_array():
    for name in ("a.allow", "b.allow"):
        write(name, BROKEN)
    found = json.loads(fails(1, "fmt", "--diagnostics", "json", "a.allow", "b.allow"))
    equal([entry["file"] for entry in found], ["a.allow", "b.allow"])


@test
def no_file_is_a_usage_error():
    equal(fails(2, "fmt"), "allowc: no policy is named\nTry 'allowc fmt --help'.\n")
    write("p.allow", LOOSE)
    equal(fails(2, "fmt", "p.allow", "-", input=TIDY),
          "allowc: the layout of '-' is printed, so no file is named beside it\nTry 'allowc fmt --help'.\n")
    equal(read("p.allow"), LOOSE)


# For a file; where counts are taken, their writing may ask for more (tests/cover).
ROOM = (64, resource.RLIM_INFINITY)


@test
def what_cannot_be_written_whole_leaves_the_file():
    write("p.allow", LOOSE + 10 * "# a comment that takes room\n")
    before = read("p.allow")
    done = allowc("fmt", "p.allow", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, ROOM))
    equal((done.returncode, done.stdout, done.stderr), (2, "", "allowc: cannot write 'p.allow': File too large\n"))
    equal(read("p.allow"), before)
    only("p.allow")


@test
def a_full_standard_output_is_trouble():
    if not os.path.exists("/dev/full"):
        raise suite.Impossible("no /dev/full")
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = allowc("fmt", "-", input=LOOSE, stdout=full)
    equal((done.returncode, done.stderr),
          (2, "allowc: cannot write to standard output: No space left on device\n"))


tap.main()
