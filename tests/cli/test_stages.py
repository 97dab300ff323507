#!/usr/bin/env python3
"""What the objects of the compiler show of its design: no globals; stages neither print nor exit; one
reader of files; backends that know nothing but their input."""

import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import equal, needs, test  # noqa: E402

BUILD = Path(os.environ.get("ALLOWC_BUILD", suite.ROOT / "build"))

PRINTS = {"printf", "fprintf", "vprintf", "vfprintf", "dprintf", "puts", "fputs", "putchar", "fputc", "putc", "fwrite",
          "perror", "write", "stderr"}
EXITS = {"exit", "_exit", "_Exit", "abort", "quick_exit", "err", "errx", "kill", "raise"}
CLOCKS = {"time", "clock_gettime", "gettimeofday", "localtime", "localtime_r", "strftime", "rand", "random", "getpid"}
WORLD = {"getenv", "secure_getenv", "setlocale", "uname", "gethostname", "socket", "socketpair", "system",
         "popen", "fork", "execvp", "posix_spawn", "posix_spawnp"}
WRITES = {"open", "open64", "openat", "openat64", "fopen", "fopen64", "creat", "rename", "renameat", "unlink", "unlinkat",
          "mkdir", "mkdirat"}
READS = {"opendir", "readdir", "stat", "stat64", "fstat", "access", "read", "fread", "mmap"}


def objects(*folders):
    found = [path for folder in folders for path in sorted((BUILD / folder).glob("*.o"))]
    equal(len(found) > 0, True, folders)
    return found


def output(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout


def calls(paths):
    """{object: the names that it takes from elsewhere}; of a function that checks its arguments, the plain one."""
    found = {path.stem: set() for path in paths}
    for line in output("nm", "--print-file-name", "--undefined-only", *paths).splitlines():
        path, symbol = line.split(":", 1)
        name = symbol.split()[-1].split("@")[0]
        found[Path(path).stem].add(re.sub(r"^__(?:(\w+)_chk|(open\w*)_2)$", r"\1\2", name))
    return found


def users(paths, names, but=()):
    """{object: the names that it uses}, without the objects that may."""
    found = calls([path for path in paths if path.stem not in but])
    return {stem: sorted(used & names) for stem, used in found.items() if used & names}


def sanitized():
    return "-fsanitize" in (BUILD / ".flags").read_text(encoding="utf-8")


def writable(paths):
    """{object: how many bytes of it can change while the program runs}; tables of pointers cannot."""
    found, stem = {}, ""
    for line in output("size", "-A", *paths).splitlines():
        words = line.split()
        if words[1:] == [":"]:
            stem = Path(words[0]).stem
        elif len(words) == 3 and words[0] in (".data", ".bss", ".tdata", ".tbss"):
            found[stem] = found.get(stem, 0) + int(words[1])
    return {stem: size for stem, size in found.items() if size}


@needs("size")
def there_is_no_global():
    """No global that can change; strbuf's byte is what an empty one points to, and stays NUL."""
    paths = objects("compiler", "compiler/base", "compiler/policy", "compiler/data", "compiler/diff",
                    "compiler/commands", "backends", "backends/filter", "grammar")
    equal(writable(paths), {"strbuf": 1})


if not sanitized():  # sanitizers add data of their own
    test(there_is_no_global)


@test
@needs("nm")
def stages_neither_print_nor_exit():
    """Out of memory alone ends the program, in die.c; child_run.c writes to a generator, and ends it"""
    paths = objects("compiler/base", "compiler/policy", "compiler/data", "compiler/diff", "backends", "backends/filter",
                    "grammar")
    equal(users(paths, PRINTS | EXITS, but={"die"}), {"child_run": ["kill", "write"]})


@test
@needs("nm")
def nothing_reads_the_clock_or_asks_the_world():
    """The environment is the terminal's business, colour and no more; git and generators are found by PATH, and with
    workers the only children. Clocks are read for how long a generator takes, and by gate for the day."""
    paths = objects("compiler", "compiler/base", "compiler/policy", "compiler/data", "compiler/diff",
                    "compiler/commands", "backends", "backends/filter", "grammar")
    equal(users(paths, CLOCKS | WORLD),
          {"child": ["getenv", "posix_spawn", "socketpair"], "child_run": ["clock_gettime"],
           "gate": ["strftime", "time"], "terminal": ["getenv"], "worker": ["fork", "getpid"]})


@test
@needs("nm")
def policies_and_adrs_are_read_by_one_function():
    """Files and folders of ADRs are opened, and told apart, in tree.c, whether they are in the file system or in a
    revision. Asked for by name alone: programs, what a link of an ADR leads to, a file called like REV:path"""
    equal(users(objects("compiler/base"), WRITES | READS),
          {"arena": ["mmap"], "child": ["access", "stat"], "child_run": ["read"], "reading": ["read"],
           "tree": ["fstat", "open", "opendir", "readdir", "stat"]})
    equal(users(objects("compiler/policy"), WRITES | READS), {"adr_check": ["access"]})
    equal(users(objects("compiler/diff"), WRITES | READS), {"side": ["access"]})


@test
@needs("nm")
def backends_touch_no_file():
    equal(users(objects("backends", "backends/filter"), WRITES | READS), {})


@test
@needs("nm")
def the_interpreter_shares_no_code_with_the_generator():
    (interpreter,) = [path for path in objects("backends/filter") if path.stem == "interpret"]
    ours = {name for name in calls([interpreter])["interpret"] if not name.startswith("_") and name not in ("memcpy", "memset")}
    equal(ours, set())


tap.main()
