#!/usr/bin/env python3
"""Places that cannot be read or written, as an ordinary user (root ignores modes), and a full disk."""

import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import contains, equal, fails, needs, needs_root, passes, project, snapshot, test  # noqa: E402

NOBODY = 65534


def ordinary(status, *arguments):
    """Runs a copy of the program as nobody; what it says on standard error."""
    shutil.copy(suite.ALLOWC, "program")
    os.chmod("program", 0o755)
    for folder, names, files in os.walk("."):
        for name in [folder, *(os.path.join(folder, name) for name in names + files)]:
            os.chown(name, NOBODY, NOBODY, follow_symlinks=False)
    done = subprocess.run(
        ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "./program", *arguments],
        capture_output=True, text=True, env=tap.environment(), check=False)
    equal((done.returncode, done.stdout), (status, ""), done.stderr)
    return done.stderr


@test
@needs_root
@needs("setpriv")
def a_read_only_artifact_keeps_its_attributes():
    # Version 2: the owner r--, the user 1234 r--, the group r--, the mask r--, others ---.
    access_list = struct.pack("<I" + "HHI" * 5, 2, 1, 4, 0xffffffff, 2, 4, 1234, 4, 4, 0xffffffff, 16, 4, 0xffffffff,
                              32, 0, 0xffffffff)  # fmt: skip
    for attributes in {"user.kept": b"a"}, {"user.kept": b"a", "system.posix_acl_access": access_list}:
        project()
        passes("-q", "p1.allow")
        os.chmod("generated/p1.h", 0o440)
        for name, value in attributes.items():
            try:
                os.setxattr("generated/p1.h", name, value)
            except OSError as error:
                raise suite.Impossible(f"{name}: {error}") from error
        project(tap.CHANGED)
        equal(ordinary(0, "-q", "p1.allow"), "")
        equal({name: os.getxattr("generated/p1.h", name) for name in os.listxattr("generated/p1.h")}, attributes)
        equal(oct(os.stat("generated/p1.h").st_mode & 0o7777), "0o440")
        shutil.rmtree("generated")


@test
@needs_root
@needs("setpriv")
def a_policy_that_may_not_be_read():
    project()
    os.chmod("p1.allow", 0)
    contains(ordinary(2, "p1.allow"), "'p1.allow': Permission denied")


@test
@needs_root
@needs("setpriv")
def a_folder_that_may_not_be_written():
    project()
    ordinary(0, "-q", "p1.allow")
    before = snapshot()
    os.chmod("generated", 0o555)
    ordinary(0, "-q", "p1.allow")
    project(tap.CHANGED)
    equal(ordinary(2, "-q", "p1.allow"), "allowc: cannot write 'generated/.p1.allowc': Permission denied\n")
    equal(snapshot(), before)


@test
@needs_root
@needs("setpriv")
def a_folder_inside_that_may_not_be_written():
    project()
    ordinary(0, "-q", "p1.allow")
    before = snapshot()
    os.chmod("generated/plugins/first", 0o555)
    project(tap.CHANGED)
    equal(ordinary(2, "-q", "p1.allow"),
          "allowc: cannot write 'generated/plugins/first/plugin.yaml': Permission denied\n")
    equal(snapshot(), before)


@test
@needs_root
@needs("setpriv")
def an_artifact_that_may_not_be_read():
    project()
    ordinary(0, "-q", "p1.allow")
    os.chmod("generated/p1.h", 0)
    equal(ordinary(2, "-q", "p1.allow"), "allowc: cannot read 'generated/p1.h': Permission denied\n")


@test
@needs_root
@needs("setpriv")
def an_output_folder_that_cannot_be_made():
    project()
    os.mkdir("closed")
    os.chmod("closed", 0o555)
    equal(ordinary(2, "-q", "-o", "closed/a/b", "p1.allow"),
          "allowc: cannot make the folder 'closed/a/b': Permission denied\n")
    equal(os.listdir("closed"), [])


def on_small_disk(script):
    """Runs a shell script with a disk of 64k at `disk`, which no one else sees."""
    os.mkdir("disk")
    # A root that is no mount point, as in a chroot, cannot be made private: hence the umount.
    around = """mount --make-rprivate / 2>/dev/null
mount -t tmpfs -o size=64k none disk || exit 77
sh -c "$1"; status=$?
umount disk
exit $status
"""
    words = ["unshare", "--mount", "--propagation", "unchanged", "sh", "-c", around, "sh", script]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode == 77 or done.stderr.startswith("unshare: "):
        raise suite.Impossible(f"no tmpfs can be mounted: {done.stderr.strip()}")
    return done


def rows(count):
    text = tap.POLICY
    for i in range(count):
        text += f'allow tool-{i}  adr 0001  because "a reason that takes some room, and then some more of it"\n'
    return text


@test
@needs_root
@needs("unshare", "mount")
def a_full_disk_leaves_all_artifacts_old_and_no_litter():
    project()
    script = """"$ALLOWC" -q -Wno-adr-silent --emit c-header,plugin-yaml -o disk/out p1.allow || exit 78
cp -r disk/out before; find disk/out | sort >before.names
cp large.allow p1.allow
"$ALLOWC" -q -Wno-adr-silent --emit c-header,plugin-yaml -o disk/out p1.allow; status=$?
diff -r before disk/out >&2 && find disk/out | sort | diff before.names - >&2 || exit 79
exit $status
"""
    Path("large.allow").write_text(rows(2000), encoding="utf-8")
    done = on_small_disk(script)
    equal((done.returncode, done.stderr), (2, "allowc: cannot write 'disk/out/p1.h': No space left on device\n"))


@test
@needs_root
@needs("unshare", "mount")
def a_full_disk_at_the_first_run_leaves_no_folder():
    project(rows(2000))
    script = """"$ALLOWC" -q -Wno-adr-silent -o disk/a/b p1.allow; status=$?
test -z "$(ls -A disk)" || exit 79
exit $status
"""
    done = on_small_disk(script)
    equal(done.returncode, 2, done.stderr)
    contains(done.stderr, "No space left on device")


@test
def no_device_takes_an_artifact():
    project()
    equal(fails(2, "-o", "/dev/null", "p1.allow"), "allowc: cannot open the folder '/dev/null': Not a directory\n")
    passes("-q", "-o", "out", "p1.allow")


tap.main()
