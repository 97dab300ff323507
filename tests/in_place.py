"""What the tests of allowc sync share: a project whose policy writes in place."""

import os
from pathlib import Path

import tap
from tap import equal, project

HEAD = tap.POLICY.split("plugin", 1)[0]
PAGE = "# Tools\n\n  <!-- allowc:begin p1 -->\n  old\n  <!-- allowc:end -->\n\nThe end.\n"


def write(path, text):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(text.encode() if isinstance(text, str) else text)


def read(path):
    return Path(path).read_bytes().decode()


def with_outputs(*statements, name="p1"):
    project(HEAD.replace("policy p1", f"policy {name}") + "\n".join(statements) + "\n", f"{name}.allow")


def age(path):
    os.utime(path, (1000000000, 1000000000))


def touched(path):
    return os.stat(path).st_mtime != 1000000000


def no_leftovers():
    equal([str(path) for path in Path(".").rglob(".*.allowc")], [])
