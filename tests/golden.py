#!/usr/bin/env python3
"""Golden tests: what allowc says and writes, byte by byte.

    tests/golden.py [CASE...]            run all cases of tests/golden, or those named; answers in TAP
    tests/golden.py --fences FILE.md...  check every ```allow and ```allow-rows fence of Markdown files
    tests/golden.py --update [CASE...]   rewrite the expectations; refuses where git could not undo it

A case is a folder tests/golden/NAME. It is copied, without the files below, to a scratch folder in
which allowc runs.

    args           the command line, words as in a shell; without it: check policy.allow
    stdin          standard input
    bin/           programs that come first on PATH
    expect.code    exit status; without it 0
    expect.stderr  standard error, exactly; without it: empty, or what `intent` says
    expect.stdout  standard output, exactly; without it: not compared, but `list` must have it
    expect/        the output folder (-o, or generated), exactly; without it: not compared
    intent         a person's statement of the diagnostics, which --update never touches:
                   `error NAME [FILE:]LINE:COLUMN`, the same with `warning`, `trouble`, or `clean`;
                   FILE where it is not policy.allow, no place where it concerns an artifact

In every case the files outside the output folder stay as they were, and a run that fails leaves that
folder as it was too.
"""

from __future__ import annotations

import argparse
import dataclasses
import difflib
import os
import re
import shlex
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import suite

CASES = suite.ROOT / "tests" / "golden"
EXPECTATIONS = ("args", "stdin", "intent", "expect", "expect.code", "expect.stderr", "expect.stdout")
HEAD = re.compile(r"^(.+?):(\d+:\d+): (error|warning): .*\[(?:-W|-Werror=)?([a-z-]+)\]$", re.MULTILINE)
PLACELESS = re.compile(r"^allowc: (error|warning): .*\[(?:-W|-Werror=)?([a-z-]+)\]$", re.MULTILINE)
TROUBLE = re.compile(r"^allowc: (?!error: |warning: |note: |help: |\d+ more (?:error|warning)s?\b)", re.MULTILINE)
FENCE = re.compile(r"^```allow(-rows)?(?:[ \t]+(.*?))?[ \t]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)


@dataclasses.dataclass
class Run:
    """What one run did."""

    code: int
    stdout: str
    stderr: str
    before: dict[str, bytes]
    after: dict[str, bytes]
    folder: str

    def output(self) -> dict[str, bytes]:
        prefix = self.folder + "/"
        return {path[len(prefix):]: data for path, data in self.after.items() if path.startswith(prefix)}

    def elsewhere(self, files: dict[str, bytes]) -> dict[str, bytes]:
        return {path: data for path, data in files.items() if not path.startswith(self.folder + "/")}


def read(case: Path, name: str, default: str) -> str:
    path = case / name
    return path.read_text(encoding="utf-8", errors="surrogateescape") if path.exists() else default


def arguments(case: Path) -> list[str]:
    return shlex.split(read(case, "args", "check policy.allow"), comments=True)


def output_folder(words: list[str]) -> str:
    for index, word in enumerate(words):
        if word == "-o" and index + 1 < len(words):
            return words[index + 1].rstrip("/")
        if word.startswith("-o") and word != "-o":
            return word[2:].rstrip("/")
    return "generated"


def environment(folder: Path) -> dict[str, str]:
    """A case's own generators come first on PATH."""
    if not (folder / "bin").is_dir():
        return suite.ENVIRONMENT
    return suite.ENVIRONMENT | {"PATH": f"{folder}/bin:{suite.ENVIRONMENT['PATH']}"}


def run_case(case: Path) -> Run:
    words = arguments(case)
    with suite.scratch() as scratch:
        folder = scratch / "case"
        shutil.copytree(case, folder, symlinks=True,
                        ignore=lambda path, names: EXPECTATIONS if Path(path) == case else ())  # fmt: skip
        before = suite.tree(folder)
        given = case / "stdin"
        with open(given if given.exists() else os.devnull, "rb") as stdin:
            done = subprocess.run([*suite.program(), *words], cwd=folder, env=environment(folder), stdin=stdin,
                                  capture_output=True)  # fmt: skip
        text = [stream.decode("utf-8", "surrogateescape") for stream in (done.stdout, done.stderr)]
        return Run(done.returncode, text[0], text[1], before, suite.tree(folder), output_folder(words))


def difference(name: str, expected: str, actual: str) -> list[str]:
    if expected == actual:
        return []
    lines = difflib.unified_diff(expected.splitlines(True), actual.splitlines(True), name, "actual")
    return [line if line.endswith("\n") else line + "\n\\ no newline at the end\n" for line in lines]


def differing_trees(expected: dict[str, bytes], actual: dict[str, bytes]) -> list[str]:
    found = [f"missing: {path}\n" for path in sorted(expected.keys() - actual.keys())]
    found += [f"unexpected: {path}\n" for path in sorted(actual.keys() - expected.keys())]
    for path in sorted(expected.keys() & actual.keys()):
        old, new = expected[path], actual[path]
        if old != new and b"\0" in old + new:
            found.append(f"bytes differ: {path} ({len(old)} expected, {len(new)} written)\n")
        else:
            found += difference(path, old.decode(errors="replace"), new.decode(errors="replace"))
    return found


def diagnostics(stderr: str) -> list[str]:
    """In the words of an intent, sorted."""
    found = [
        f"{kind} {name} {place}" if file == "policy.allow" else f"{kind} {name} {file}:{place}"
        for file, place, kind, name in HEAD.findall(stderr)
    ]
    found += [f"{kind} {name}" for kind, name in PLACELESS.findall(stderr)]
    return sorted(found + ["trouble"] * len(TROUBLE.findall(stderr)))


def check_intent(case: Path, run: Run) -> list[str]:
    wanted = sorted(line.strip() for line in read(case, "intent", "").splitlines() if line.strip())
    if not wanted:
        return []
    found = diagnostics(run.stderr) or ["clean"]
    if found == wanted:
        return []
    return ["intent, then what was reported:\n", *difference("intent", "\n".join(wanted), "\n".join(found)),
            run.stderr]  # fmt: skip


def check_stderr(case: Path, run: Run) -> list[str]:
    if (case / "intent").exists() and not (case / "expect.stderr").exists():
        return []
    return difference("expect.stderr", read(case, "expect.stderr", ""), run.stderr)


def check_stdout(case: Path, run: Run) -> list[str]:
    if (case / "expect.stdout").exists():
        return difference("expect.stdout", read(case, "expect.stdout", ""), run.stdout)
    if arguments(case)[:1] == ["list"]:
        return ["a case of `list` needs expect.stdout\n"]
    return []


def check_files(case: Path, run: Run) -> list[str]:
    problems = differing_trees(run.elsewhere(run.before), run.elsewhere(run.after))
    if run.code != 0:
        problems += differing_trees(run.before, run.after) if not problems else []
    if (case / "expect").is_dir():
        problems += differing_trees(suite.tree(case / "expect"), run.output())
    return problems


def check_case(case: Path) -> None:
    run = run_case(case)
    code = int(read(case, "expect.code", "0"))
    problems = [] if run.code == code else [f"exit status {run.code} instead of {code}\n"]
    problems += check_intent(case, run) + check_stderr(case, run)
    problems += check_stdout(case, run) + check_files(case, run)
    if problems:
        suite.fail("".join(problems).encode(errors="backslashreplace").decode())


def write(path: Path, text: str, default: str = "") -> None:
    """An expectation that is the default has no file."""
    if text != default:
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
    else:
        path.unlink(missing_ok=True)


def update_case(case: Path) -> None:
    """`expect/` and expect.stdout are kept where they are wanted: the first where it exists (an empty
    folder is enough), the second where it exists or the case lists or compiles."""
    run = run_case(case)
    write(case / "expect.code", f"{run.code}\n", "0\n")
    write(case / "expect.stderr", run.stderr)
    if (case / "expect.stdout").exists() or arguments(case)[:1] != ["check"]:
        (case / "expect.stdout").write_text(run.stdout, encoding="utf-8", errors="surrogateescape")
    if (case / "expect").is_dir():
        shutil.rmtree(case / "expect")
        for path, data in run.output().items():
            (case / "expect" / path).parent.mkdir(parents=True, exist_ok=True)
            (case / "expect" / path).write_bytes(data)


def refuse_to_lose_work() -> None:
    """What is in git's index can be got back; anything else under tests/golden must not be overwritten."""
    git = ["git", "-C", str(suite.ROOT)]
    changed = suite.run([*git, "diff", "--name-only", "--", CASES]).stdout
    changed += suite.run([*git, "ls-files", "--others", "--exclude-standard", "--", CASES]).stdout
    if changed:
        sys.exit(f"golden-update: these would be overwritten; git add or commit them first:\n{changed.rstrip()}")


def fence_name(text: str, number: int) -> str:
    """A fence is saved under the name in its first comment (`# policies/x.allow`), or its policy's."""
    named = re.match(r"#\s*(?:\S*/)?([\w-]+\.allow)\s*$", text, re.MULTILINE)
    policy = re.search(r"^policy\s+([\w-]+)", text, re.MULTILINE)
    return named[1] if named else f"{policy[1]}.allow" if policy else f"fence{number}.allow"


def check_fence(policies: Path, name: str, text: str) -> None:
    """A library (no `policy`) is only saved, for the fences that use it."""
    (policies / name).write_text(text, encoding="utf-8")
    if re.search(r"^policy\s", text, re.MULTILINE):
        suite.run([*suite.program(), "check", Path("policies") / name], cwd=policies.parent)


def check_rows(policies: Path, number: int, head: str, rows: str) -> None:
    """Rows without a head get one: what follows the fence's word, or nothing but a name. No word against them."""
    name = f"rows{number}.allow"
    (policies / name).write_text(f"policy rows{number}\n{head}\n{rows}", encoding="utf-8")
    # The page shows what an advisory forbid is, and says of it what the warning does.
    options = ["-Wno-prefix-forbid", *([] if head else ["-Wno-adr-unchecked"])]
    done = suite.run([*suite.program(), "check", *options, Path("policies") / name], cwd=policies.parent)
    suite.same("standard error", done.stderr, "")


def no_fence(file: str) -> None:
    suite.fail(f"{file} has no ```allow and no ```allow-rows fence: nothing in it is checked")


def fence_tests(file: str, root: Path) -> list[suite.Test]:
    """The fences of one file build on each other and on the policies that ship: one folder has them all."""
    for folder in ("policies", "adr"):
        shutil.copytree(suite.ROOT / folder, root / folder)
    content = (suite.ROOT / file).read_text(encoding="utf-8")
    tests: list[suite.Test] = []
    for number, match in enumerate(FENCE.finditer(content), start=1):
        rows, head, text = match[1], match[2] or "", match[3]
        place = f"{file}:{content.count(chr(10), 0, match.start()) + 1}"
        if rows:
            tests.append((place, partial(check_rows, root / "policies", number, head, text)))
        else:
            tests.append((place, partial(check_fence, root / "policies", fence_name(text, number), text)))
    return tests or [(file, partial(no_fence, file))]


def fences(files: list[str]) -> int:
    with suite.scratch() as scratch:
        roots = [scratch / str(index) for index in range(len(files))]
        return suite.main([test for file, root in zip(files, roots) for test in fence_tests(file, root)])


def main() -> int:
    parser = argparse.ArgumentParser(description="golden tests of allowc")
    parser.add_argument("--fences", action="store_true", help="the arguments are Markdown files")
    parser.add_argument("--update", action="store_true", help="rewrite the expectations")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if options.fences:
        return fences(options.names)
    names = options.names or sorted(path.name for path in CASES.iterdir() if path.is_dir())
    if options.update:
        refuse_to_lose_work()
        for name in names:
            update_case(CASES / name)
        return 0
    return suite.main([(name, partial(check_case, CASES / name)) for name in names], jobs=2)


if __name__ == "__main__":
    sys.exit(main())
