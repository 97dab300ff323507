#!/usr/bin/env python3
"""Each page of `allowc explain DIAGNOSTIC`: its example brings about that diagnostic alone, and what is mended brings about none."""

import json
import re
import shlex
import subprocess
import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402

ROWS = re.findall(r"^\tX\([A-Z_]+, \"([a-z-]+)\", ([A-Z]+), (?:FIXED|OPEN),(?:\s|\\)*\"([^\"]*)\"\)",
                  (suite.ROOT / "compiler/base/diag_list.h").read_text(encoding="utf-8"), re.MULTILINE)  # fmt: skip
NAME = re.compile(r"^\S.*: (?:error|warning): .*\[(?:-W|-Werror=)?([a-z-]+)\]$", re.MULTILINE)
# Too long for a page; the sketch says which case has it whole.
SKETCHES = {"filter-size", "limit"}


def page_of(name):
    return json.loads(suite.run([*suite.program(), "explain", "--format", "json", name]).stdout)


def write(folder, files):
    """A file without text is removed."""
    for path, text in files.items():
        if not text:
            continue
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
        if path.startswith("bin/"):
            (folder / path).chmod(0o755)


def found(folder, args):
    """What was reported, and the exit status. An example's bin/ is on PATH."""
    env = {**suite.ENVIRONMENT, "PATH": f"{folder / 'bin'}:{suite.ENVIRONMENT['PATH']}"}
    done = subprocess.run([*suite.program(), *shlex.split(args)], cwd=folder, env=env, capture_output=True,
                          text=True, stdin=subprocess.DEVNULL)  # fmt: skip
    return set(NAME.findall(done.stderr)), done.returncode, done.stderr


def page_holds(name, severity):
    page = page_of(name)
    suite.same("it is about", page["diagnostic"], name)
    suite.same("it is a sketch", page["sketch"], name in SKETCHES)
    if page["sketch"]:
        return
    with suite.scratch() as scratch:
        folder = scratch / "example"
        folder.mkdir()
        write(folder, page["example"])
        names, code, text = found(folder, page["args"])
        suite.same(f"the example's diagnostics, of:\n{text}\n", names, {name})
        suite.same("its exit status", code, 1 if severity == "ERROR" else 0)
    with suite.scratch() as scratch:
        folder = scratch / "mended"
        folder.mkdir()
        write(folder, page["example"] | page["mended"])
        names, code, text = found(folder, page["args"])
        suite.same(f"what is mended gives, with:\n{text}\n", (names, code), (set(), 0))


def texts_are_whole(name):
    """The text for people has all that the JSON has."""
    page, text = page_of(name), suite.run([*suite.program(), "explain", name]).stdout
    flat = " ".join(text.split())
    for part in ("summary", "meaning", "mend", "args"):
        suite.same(f"{part} stands in the text", page[part] in flat, True)
    suite.same("the name with -W", suite.run([*suite.program(), "explain", "--", f"-W{name}"]).stdout, text)


def main():
    tests = [(name, partial(page_holds, name, severity)) for name, severity, _ in ROWS]
    tests += [(f"{name}: its text", partial(texts_are_whole, name)) for name in ("adr-silent", "encoding", "filter-size")]
    return suite.main(tests)


if __name__ == "__main__":
    sys.exit(main())
