"""Documents whose examples are run: every command as printed, every output as it is.

What a reader would do with the fences of a Markdown file is done in a scratch folder, from top to bottom:

    ```console            each line after `$ ` is run by a shell; what follows it is all that it prints.
                          A line `...` stands for any lines. An exit status that is not 0 is shown
                          by `$ echo $?`, which must come next. Lines after `> ` go on with a command.
    ```diff               is applied, as by patch -p1
    ```allow a/b.allow    a file of that name and content (or of any other language)

All others are for the eye.
"""

from __future__ import annotations

import contextlib
import dataclasses
import difflib
import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import Iterator, Mapping

import suite

FENCE = re.compile(r"^(?P<mark>`{3,})(?P<kind>[\w-]*)[ \t]*(?P<path>[^\n]*)\n(?P<text>.*?)^(?P=mark)[ \t]*$", re.M | re.S)
ASK_STATUS = "echo $?"
ANY_LINES = "...\n"


@dataclasses.dataclass
class Command:
    """What one `$ ` line says and what stands below it."""

    prompt: str  # all its lines, as printed
    words: str  # for the shell
    output: str


@dataclasses.dataclass
class Place:
    """A scratch folder, and what a shell has there."""

    folder: Path
    environment: Mapping[str, str]
    status: int = 0  # of the last command


def read(name: str) -> str:
    return (suite.ROOT / name).read_text(encoding="utf-8")


@contextlib.contextmanager
def scratch_place() -> Iterator[Place]:
    """A folder with nothing in it, where allowc and its generators are on PATH and git knows an author."""
    with suite.scratch() as scratch:
        programs = scratch / "bin"
        programs.mkdir()
        (programs / "allowc").write_text(f'#!/bin/sh\nexec {shlex.join(suite.program())} "$@"\n')
        (programs / "allowc").chmod(0o755)
        path = [str(programs), str(suite.ROOT / "packaging" / "gen"), os.environ["PATH"]]
        who = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER")
               for key, value in (("NAME", "Maintainer"), ("EMAIL", "maintainer@example.org"))}  # fmt: skip
        git = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"} | who
        (scratch / "project").mkdir()
        more = {"PATH": ":".join(path), "PYTHONDONTWRITEBYTECODE": "1", "HOME": str(scratch)}
        yield Place(scratch / "project", suite.ENVIRONMENT | git | more)


def commit_all(place: Place) -> None:
    """All that is there as the first commit of `main`."""
    for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "start"]):
        suite.run(["git", *words], cwd=place.folder, environment=place.environment)


def commands_of(text: str) -> list[Command]:
    commands: list[Command] = []
    for line in text.splitlines(keepends=True):
        if line.startswith("$ "):
            commands.append(Command(line, line[2:], ""))
        elif not commands:
            suite.fail(f"before the first `$ `: {line!r}")
        elif line.startswith("> ") and not commands[-1].output:
            commands[-1].prompt += line
            commands[-1].words += line[2:]
        else:
            commands[-1].output += line
    return commands


def run_command(place: Place, command: Command) -> str:
    """All that it prints. Its status becomes the place's."""
    done = subprocess.run(
        ["sh", "-c", f"(exit {place.status})\n{command.words}"], cwd=place.folder, env=place.environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    place.status = done.returncode
    return done.stdout.decode()


def fits(printed: str, output: str) -> bool:
    """Whether the output is what the document prints, where `...` stands for any lines."""
    parts = ("\n" + printed).split("\n" + ANY_LINES)
    pattern = r"\n(?:.*\n)*".join(re.escape(part) for part in parts)
    return re.fullmatch(pattern, "\n" + output) is not None


def console(place: Place, text: str) -> str:
    """The fence's text as it is true: each output is kept where it fits."""
    true = ""
    commands = commands_of(text)
    for number, command in enumerate(commands):
        output = run_command(place, command)
        following = commands[number + 1].words.strip() if number + 1 < len(commands) else ""
        if place.status != 0 and following != ASK_STATUS:
            suite.fail(f"exit status {place.status}, of which the document says nothing:\n{command.prompt}{output}")
        true += command.prompt + (command.output if fits(command.output, output) else output)
    return true


def write_file(place: Place, path: str, text: str) -> None:
    file = place.folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def apply_patch(place: Place, text: str) -> None:
    done = subprocess.run(["patch", "-p1", "--fuzz=0", "--no-backup-if-mismatch"], cwd=place.folder, input=text,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)  # fmt: skip
    if done.returncode != 0:
        suite.fail(f"a diff that does not apply:\n{text}{done.stdout}")


def follow(place: Place, document: str) -> str:
    """Does what the document says; the document as it is true."""

    def fence(match: re.Match[str]) -> str:
        kind, path, text = match["kind"], match["path"].strip(), match["text"]
        if kind == "console":
            text = console(place, text)
        elif kind == "diff":
            apply_patch(place, text)
        elif re.fullmatch(r"[\w./-]*[./][\w./-]*", path):
            write_file(place, path, text)
        return document[match.start() : match.start("text")] + text + document[match.end("text") : match.end()]

    return FENCE.sub(fence, document)


def compare(name: str, document: str, true: str) -> None:
    """Fails with the difference between what a document prints and what is true."""
    if document != true:
        lines = difflib.unified_diff(document.splitlines(keepends=True), true.splitlines(keepends=True),
                                     name, f"{name}, as it is true")  # fmt: skip
        suite.fail("".join(lines))
