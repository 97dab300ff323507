"""The runs of the program that a test of the command line makes, made again without the test: a copy of the folder
before each run is kept. Where a mutant changes none of them, the test, which takes far longer, need not be run.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import resource
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Callable, Mapping


def state(folder: Path) -> dict[str, tuple[int, ...]]:
    """What tells whether anything in a folder was written to."""
    found: dict[str, tuple[int, ...]] = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            status = entry.stat(follow_symlinks=False)
            found[entry.path] = (status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
            if entry.is_dir(follow_symlinks=False):
                found.update(state(Path(entry.path)))
    return found


def limited(words: list[str], seconds: int, memory: int, **options: object) -> tuple[int, bytes, bytes]:
    """Runs a program of a mutant, which may run for ever: its status and what it said."""
    child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
                             **options)  # type: ignore[call-overload]  # fmt: skip
    with contextlib.suppress(ProcessLookupError):
        resource.prlimit(child.pid, resource.RLIMIT_CPU, (seconds, seconds))
        resource.prlimit(child.pid, resource.RLIMIT_AS, (memory, memory))
    try:
        stdout, stderr = child.communicate(timeout=15 * seconds)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        stdout, stderr = child.communicate()
    return child.returncode, stdout, stderr


@dataclasses.dataclass
class Run:
    """One of a test's: a copy of the test's folder, and where in it the program ran."""

    folder: Path
    place: str
    words: list[str]
    text: str
    environment: dict[str, str]


class Recorder:
    """Takes the place of tap.allowc while a test runs."""

    def __init__(self, folder: Path, allowc: Callable[..., object]):
        self.folder, self.allowc = folder, allowc
        self.runs: list[Run] = []
        self.complete = True
        self.home = Path()
        self.before: dict[str, tuple[int, ...]] = {}

    def keep(self) -> Path:
        """A copy of the folder, or the last one where nothing has changed."""
        before = state(self.home)
        if before == self.before:
            return self.runs[-1].folder
        self.before = before
        self.complete = self.complete and not any(
            os.path.islink(path) and os.readlink(path).startswith("/") for path in before)  # fmt: skip
        return Path(shutil.copytree(self.home, self.folder / str(len(self.runs)), symlinks=True))

    def __call__(self, *arguments: object, **options: object) -> object:
        place = Path(str(options.get("cwd", "."))).resolve()
        if set(options) - {"cwd", "input", "env"} or not place.is_relative_to(self.home):
            self.complete = False
        if self.complete:
            environment: Mapping[str, str] = options.get("env", {})  # type: ignore[assignment]
            changes = {name: value for name, value in environment.items() if os.environ.get(name) != value}
            self.runs.append(Run(self.keep(), str(place.relative_to(self.home)), [str(word) for word in arguments],
                                 str(options.get("input", "")), changes))  # fmt: skip
        return self.allowc(*arguments, **options)
