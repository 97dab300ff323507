#!/usr/bin/env python3
"""What is no plain file where one is named, names that no terminal should see, and files that change meanwhile."""

import contextlib
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import allowc, contains, equal, fails, needs, needs_root, passes, test  # noqa: E402

QUIET = ("-Wno-adr-unchecked",)
LOOP = "Too many levels of symbolic links"
# An escape sequence, a line end, a C1 control and a right-to-left override.
NAME = "e\x1b[31m\n\x9b\u202ex"
RAW = ("\x1b", "\x9b", "\u202e")
ROW = 'allow git  adr 1  because "x"\n'


def write(path, text):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


def first_line(text):
    return text.split("\n", 1)[0]


@contextlib.contextmanager
def odd_file(kind, path):
    """`kind` at the path: a circle of links, a folder, a pipe, a device."""
    if kind == "loop":
        os.symlink(Path(path).name, path)
    elif kind == "folder":
        os.mkdir(path)
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        os.symlink("/dev/zero", path)
    yield
    os.rmdir(path) if kind == "folder" else os.unlink(path)


KINDS = ("loop", "folder", "pipe", "device")

# What a policy is told of a file that it names.
ABSENCES = {"loop": "is a symbolic link that leads round in a circle", "folder": "is a folder",
            "pipe": "is no regular file", "device": "is no regular file"}  # fmt: skip

# ---- where a plain file is named ----


@test
def on_the_command_line():
    """A pipe or a device is read there; nothing else is."""
    for kind, reason in (("loop", LOOP), ("folder", "Is a directory: name a file in it"),
                         ("device", "it is larger than 64 MiB")):  # fmt: skip
        with odd_file(kind, "p.allow"):
            for command in ("check", "fmt"):
                equal(fails(2, command, "p.allow"), f"allowc: cannot read 'p.allow': {reason}\n")


@test
def in_place_of_a_layer_or_library():
    for line, what, name in (('extends "low.allow"', "layer", "layer"), ('use "low.allow"', "library", "library")):
        column = len(line.split(" ")[0]) + 2
        write("p.allow", f"policy p\n{line}\n")
        for kind in KINDS:
            with odd_file(kind, "low.allow"):
                equal(first_line(fails(1, "check", *QUIET, "p.allow")),
                      f"p.allow:2:{column}: error: the {what} 'low.allow' {ABSENCES[kind]} [{name}]")


@test
def in_place_of_an_adr():
    reasons = {"loop": LOOP, "folder": "Is a directory", "pipe": "Not a regular file", "device": "Not a regular file"}
    write("p.allow", f'policy p\ndecisions "adr"\n{ROW}')
    os.mkdir("adr")
    for kind in KINDS:
        with odd_file(kind, "adr/0001-x.md"):
            equal(fails(2, "check", "p.allow"), f"allowc: cannot read 'adr/0001-x.md': {reasons[kind]}\n")


@test
def in_place_of_the_folder_of_adrs():
    write("p.allow", f'policy p\ndecisions "adr"\n{ROW}')
    for kind in ("pipe", "device"):
        with odd_file(kind, "adr"):
            equal(first_line(fails(1, "check", "p.allow")), "p.allow:2:11: error: 'adr' is no folder [decisions]")
            contains(fails(2, "adr", "check", "adr"), "'adr'")
    with odd_file("loop", "adr"):
        equal(fails(2, "check", "p.allow"), f"allowc: cannot list 'adr': {LOOP}\n")


@test
def in_place_of_a_manifest():
    write("p.allow", f'policy p\n{ROW}plugin x "plugin.yaml" {{\n    tools git\n}}\n')
    for kind in KINDS:
        with odd_file(kind, "plugin.yaml"):
            equal(first_line(fails(1, "-q", *QUIET, "p.allow")),
                  f"p.allow:3:10: error: the manifest 'plugin.yaml' {ABSENCES[kind]} [manifest]")
            equal(Path("generated").exists(), False)


@test
def in_place_of_the_output_folder():
    write("p.allow", f"policy p\n{ROW}")
    for kind, reason in (("loop", LOOP), ("pipe", "Not a directory"), ("device", "Not a directory")):
        with odd_file(kind, "out"):
            equal(fails(2, "-q", *QUIET, "-o", "out", "p.allow"), f"allowc: cannot open the folder 'out': {reason}\n")


@test
def a_sparse_file_of_a_terabyte_is_not_read():
    write("p.allow", f"policy p\n{ROW}")
    with open("q.allow", "wb") as file:
        file.truncate(1 << 40)
    pair = ("git-diff", "x", "p.allow", "0", "100644", "q.allow", "1", "100644")
    for words, most in ((("check", "q.allow"), 64), (("fmt", "q.allow"), 64), (("diff", "p.allow", "q.allow"), 256),
                        (("git-diff", "--textconv", "q.allow"), 64), (pair, 64)):  # fmt: skip
        equal(fails(2, *words), f"allowc: cannot read 'q.allow': it is larger than {most} MiB\n")
    write("p.allow", 'policy p\nextends "q.allow"\n')
    equal(fails(2, "check", *QUIET, "p.allow"), "allowc: cannot read 'q.allow': it is larger than 64 MiB\n")
    for name in ("q.txt", "p.sync.sha256"):
        write("p.allow", f'policy p\n{ROW}output names "q.txt"\n')
        Path("q.allow").rename(name)
        equal(fails(2, "sync", *QUIET, "p.allow"), f"allowc: cannot read '{name}': it is larger than 256 MiB\n")
        Path(name).rename("q.allow")


@test
def standard_input_under_each_of_its_names():
    for name in ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
        done = allowc("check", *QUIET, name, input="policy p\n" + ROW)
        equal((done.returncode, done.stdout, done.stderr), (0, "p: 1 command allowed, 0 forbidden\n", ""), name)
    equal(fails(1, "check", "/dev/null").split("\n", 1)[0],
          "/dev/null:1:1: error: the file does not say which policy it is [policy]")


def is_asleep(pid):
    return bool(re.search(r"\) S ", Path(f"/proc/{pid}/stat").read_text(encoding="ascii")))


@test
def standard_input_that_does_not_wait_is_waited_for():
    reads, writes = os.pipe()
    os.set_blocking(reads, False)
    with subprocess.Popen([*suite.program(), "check", *QUIET, "-"], stdin=reads, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as running:  # fmt: skip
        os.close(reads)
        while running.poll() is None and not is_asleep(running.pid):
            time.sleep(0.01)
        os.write(writes, b"policy p\n")
        time.sleep(0.05)
        os.write(writes, ROW.encode())
        os.close(writes)
        said = running.communicate(timeout=60)
    equal((running.returncode, *said), (0, "p: 1 command allowed, 0 forbidden\n", ""))


@test
def standard_output_that_does_not_wait_is_waited_for():
    write("p.allow", "policy p\n" + "".join(ROW.replace("git", f"command-{n}") for n in range(1000)))
    wanted = passes("list", *QUIET, "p.allow").stdout
    reads, writes = os.pipe()
    os.set_blocking(writes, False)
    room = fcntl.fcntl(writes, fcntl.F_SETPIPE_SZ, 4096)
    equal(len(wanted) > 2 * room, True)
    with subprocess.Popen([*suite.program(), "list", *QUIET, "p.allow"], stdin=subprocess.DEVNULL, stdout=writes,
                          stderr=subprocess.PIPE) as running, open(reads, "rb") as stream:  # fmt: skip
        os.close(writes)
        while running.poll() is None and struct.unpack("i", fcntl.ioctl(reads, termios.FIONREAD, bytes(4)))[0] < room:
            time.sleep(0.01)
        got = stream.read().decode()
        error = running.communicate(timeout=60)[1]
    equal((running.returncode, error, got == wanted), (0, b"", True))


# ---- what an ordinary user may not read ----


def as_nobody(*words):
    before = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
    return allowc(*words, before=before)


@test
@needs_root
@needs("setpriv")
def what_an_ordinary_user_may_not_read():
    write("p.allow", f'policy p\ndecisions "adr"\n{ROW}')
    write("q.allow", 'policy q\nextends "closed/low.allow"\n')
    write("adr/0001-x.md", "# 1. x\n\nStatus: accepted\n\n`git`\n")
    write("closed/low.allow", "policy low\n")
    os.chmod("closed", 0)
    for mode, path, reason in ((0o000, "p.allow", "cannot read 'p.allow'"), (0o000, "adr", "cannot list 'adr'"),
                               (0o444, "adr", "cannot read 'adr/0001-x.md'"),
                               (0o000, "adr/0001-x.md", "cannot read 'adr/0001-x.md'")):  # fmt: skip
        kept = os.stat(path).st_mode
        os.chmod(path, mode)
        done = as_nobody("check", "p.allow")
        os.chmod(path, kept)
        equal((done.returncode, done.stdout, done.stderr), (2, "", f"allowc: {reason}: Permission denied\n"), path)
    done = as_nobody("check", *QUIET, "q.allow")
    equal((done.returncode, done.stderr), (2, "allowc: cannot read 'closed/low.allow': Permission denied\n"))
    equal(as_nobody("check", "p.allow").returncode, 0)


# ---- names ----


def shows_nothing_raw(status, *words):
    """Both streams, and no line of them begins where the name's line end would put it."""
    done = allowc(*words)
    equal(done.returncode, status, f"{words}: {done.stderr}")
    text = done.stdout + done.stderr
    equal([code for code in RAW if code in text], [], f"{words}: {text!r}")
    equal("e\\" in text or "e%1B" in text, True, f"{words} does not say the name: {text!r}")


@test
def names_are_never_raw():
    policy, out, folder = f"{NAME}.allow", f"{NAME}.out", f"{NAME}.adr"
    write(policy, f"policy p\n{ROW}")
    write(f"{folder}/0001-{NAME}.md", "# 1. x\x1b[31m\n\nStatus: accepted\n\n`git`\n")
    for words in (["check", f"{NAME}.none"], ["fmt", f"{NAME}.none"], ["diff", policy, f"{NAME}.none"],
                  ["diff", f"{NAME}:x", policy], ["gate", policy, f"{NAME}.none"], ["adr", "list", NAME],
                  ["adr", NAME], [f"--{NAME}"], ["--emit", NAME, policy], [f"-W{NAME}", policy], ["--today", NAME, policy],
                  ["explain", NAME], ["explain", policy, f"@{NAME}"], ["list", "--role", NAME, policy],
                  ["--stamp", f"{NAME}/no", "-o", out, policy], ["-o", policy, policy]):  # fmt: skip
        shows_nothing_raw(2, *words)
    shows_nothing_raw(0, "check", policy)
    for form in ("json", "github"):
        shows_nothing_raw(0, "check", "--diagnostics", form, policy)
    shows_nothing_raw(0, "explain", policy, "git")
    shows_nothing_raw(0, "adr", "check", folder)
    shows_nothing_raw(0, "adr", "list", folder)
    shows_nothing_raw(0, "-n", "-o", out, policy)
    shows_nothing_raw(1, "--check", "-o", f"{NAME}.new", policy)
    shows_nothing_raw(0, "-o", out, policy)
    with open(f"{out}/p.h", "a", encoding="utf-8") as file:
        file.write("edited\n")
    shows_nothing_raw(1, "--check", "-o", out, policy)


@test
@needs("patch")
def such_a_name_in_a_difference_is_read_by_patch():
    policy, out = f"{NAME}.allow", f"{NAME}.out"
    write(policy, f"policy p\n{ROW}")
    passes("-q", *QUIET, "--emit", "names", "-o", out, policy)
    wanted = Path(f"{out}/p.names").read_bytes()
    with open(f"{out}/p.names", "a", encoding="utf-8") as file:
        file.write("edited\n")
    difference = allowc("--check", *QUIET, "--emit", "names", "-o", out, policy).stdout
    contains(difference, '--- "e\\033[31m\\012\\302\\233\\342\\200\\256x.out/p.names"\n')
    subprocess.run(["patch", "-p0", "--quiet"], input=difference, text=True, encoding="utf-8", check=True)
    equal(Path(f"{out}/p.names").read_bytes(), wanted)


def at_terminal(code, *words):
    master, terminal = pty.openpty()
    equal(allowc(*words, stdout=terminal).returncode, code)
    os.close(terminal)
    shown = os.read(master, 4096).decode("utf-8").replace("\r\n", "\n")
    os.close(master)
    return shown


@test
def list_outputs_is_exact_but_for_a_terminal():
    write("p.allow", f"policy p\n{ROW}")
    words = ("--list-outputs", *QUIET, "--emit", "names", "-o", NAME, "p.allow")
    equal(passes(*words).stdout, f"{NAME}/p.names\n{NAME}/p.sha256\n")
    shown = at_terminal(0, *words)
    visible = "e\\u{1b}[31m\\u{a}\\u{9b}\\u{202e}x"
    equal(shown, f"{visible}/p.names\n{visible}/p.sha256\n")


@test
def a_difference_is_exact_but_for_a_terminal():
    """A file that somebody edited, and is shown for it, does to no terminal what its text says."""
    write("p.allow", f"policy p\n{ROW}")
    words = (*QUIET, "--emit", "names", "p.allow")
    passes("-q", *words)
    with open("generated/p.names", "a", encoding="utf-8") as file:
        file.write("\t\33]0;x\7\u202e\xe4\n")
    contains(allowc("--check", *words).stdout, "\n-\t\33]0;x\7\u202e\xe4\n")
    contains(at_terminal(1, "--check", *words), "\n-\t\\u{1b}]0;x\\u{7}\\u{202e}\xe4\n")


@test
def names_that_differ_in_case_alone():
    """They are two, everywhere; roles and plugins whose folders other systems take for one are told."""
    write("p.allow", 'policy p\nallow git, Git  adr 1  because "x"\nplugin Scan { tools git }\nplugin scan { tools Git }\n')
    done = allowc("-q", *QUIET, "-o", "out", "p.allow")
    equal((done.returncode, first_line(done.stderr)),
          (0, "p.allow:4:8: warning: 'scan' is one letter away from 'Scan' [-Wspelling-twin]"))
    for plugin, tool in (("Scan", "git"), ("scan", "Git")):
        contains(Path(f"out/plugins/{plugin}/plugin.yaml").read_text(encoding="utf-8"), f"- {tool}\n")
    write("q.allow", f'policy q\ndecisions "adr"\n{ROW}')
    for name in ("0001-a.md", "0001-A.md"):
        write(f"adr/{name}", "# 1. x\n\nStatus: accepted\n\n`git`\n")
    equal(first_line(fails(1, "check", "q.allow")),
          "q.allow:3:16: error: 2 files have the number of ADR q/1 [adr-ambiguous]")
    write("low.allow", "policy low\n")
    write("r.allow", 'policy r\nextends "Low.allow"\n')
    equal(first_line(fails(1, "check", *QUIET, "r.allow")),
          "r.allow:2:9: error: the layer 'Low.allow' is not there [layer]")


# ---- files that change meanwhile ----


@test
def a_policy_that_changes_once_it_is_read():
    """Each policy of a run is of one moment: what is written, and what a message shows, is what was read."""
    write("p.allow", f"policy p\n{ROW}alow jq\n")
    write("low.allow", "policy low\n")
    reads, writes = os.pipe()
    with subprocess.Popen([*suite.program(), "check", "-q", *QUIET, "p.allow", "-"], stdin=reads, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as running:  # fmt: skip
        os.close(reads)
        waits_for_input(running.pid)
        write("p.allow", "# gone\n" * 9)
        write("low.allow", f"policy low\n{ROW}")
        os.write(writes, b'policy q\nextends low\nexpect allowed git\n')
        os.close(writes)
        stdout, stderr = running.communicate(timeout=60)
    equal((running.returncode, stdout), (1, ""))
    equal(stderr, "p.allow:3:1: error: unknown statement 'alow' [syntax]\n"
                  "    3 | alow jq\n      | ^~~~\np.allow:3:1: help: did you mean 'allow'?\n")  # fmt: skip


def waits_for_input(pid):
    """Until the program is in read(2) of its standard input: all that stands before it on the line is read."""
    for _ in range(100000):
        with contextlib.suppress(OSError):
            words = Path(f"/proc/{pid}/syscall").read_text(encoding="ascii").split()
            if words[:2] in (["0", "0x0"], ["63", "0x0"]):  # read(2) of x86_64, and of aarch64 and riscv64
                return
        os.sched_yield()
    raise suite.Impossible("/proc/PID/syscall does not say what a program waits for")


tap.main()
