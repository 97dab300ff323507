#!/usr/bin/env python3
"""Manifests of many forms, synced, as PyYAML reads them: the list is the policy's, the rest is as it was."""

import itertools
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import allowc, equal, project, test  # noqa: E402

try:
    import yaml
except ImportError:
    yaml = None

# What may stand at `external_tools`, with four blanks before each of its own lines.
LISTS = [
    None, "", "~", "[]", "[ git ]", "[git,docker]", "[docker, git, ]", "['git', \"jq\"]", "[\n      jq,\n      git\n    ]",
    "\n      - git", "\n    - git\n    - docker", "\n      - jq # why\n      # of docker\n      - 'docker'\n\n      - git",
    " # c\n      # d\n      - git   # e", "\n      -   git\n      -   git", "&t\n      - docker",
]  # fmt: skip
BEFORE = ["", "name: first\n", "# größe\n---\nname: first # c\nabout: |\n  external_tools:\n    - no\n", "a: &a {x: [1, 2]}\n"]
AROUND = [("", ""), ("    optional: [x]\n", ""), ("", "    optional:\n      - x # y\n    # end\n"),
          ("    z: |\n      text\n\n", "    w: >-\n      a\n      b\n")]  # fmt: skip
AFTER = ["", "after: 1\n", "# end\n", "other:\n  - {requirements: {external_tools: [q]}}\n\n\n"]
TOOLS = [[], ["git"], ["docker", "git"], ["git", "docker", '"docker buildx"']]


def manifest(listed, before, around, after):
    key = "" if listed is None else f"    external_tools:{'' if listed[:1] in ('', chr(10)) else ' '}{listed}\n"
    inside = around[0] + key + around[1]
    return f"{before}requirements:{'' if inside else ' {}'}\n{inside}{after}"


def forms():
    """Every list with everything else in turn, not all with all."""
    rest = itertools.cycle(itertools.product(BEFORE, AROUND, AFTER))
    for listed, tools, end, _ in itertools.product(LISTS, TOOLS, ("\n", "\r\n", ""), range(2)):
        text = manifest(listed, *next(rest))
        if (listed or "").startswith("&") and not tools:
            continue  # refused: where "[]" would go is not certain
        text = text[:-1] if not end and not text.endswith(("|\n", "\n\n")) else text.replace("\n", end or "\n")
        yield text, tools


def spelled(tools):
    return [tool.strip('"').replace(" ", "-") for tool in tools]


def without_list(document):
    document = {**document, "requirements": dict(document.get("requirements") or {})}
    document["requirements"].pop("external_tools", None)
    return document


def comments(text):
    """Those on lines of their own."""
    return sorted(re.findall(r"^\s*(#.*?)\r?$", text, re.MULTILINE))


def sync(tools):
    block = f"    tools {', '.join(tools)}\n" if tools else ""
    project(tap.POLICY.split("plugin", 1)[0] + f'plugin first "m.yaml" {{\n{block}}}\n')
    done = allowc("sync", "-q", "-Wno-plugin-comment", "p1.allow")
    equal((done.returncode, done.stderr), (0, ""))


def check(text, tools):
    Path("m.yaml").write_bytes(text.encode())
    sync(tools)
    result = Path("m.yaml").read_bytes().decode()
    old, new = yaml.safe_load(text) or {}, yaml.safe_load(result) or {}
    equal((new.get("requirements") or {}).get("external_tools") or [], spelled(tools))
    equal(without_list(new), without_list(old))
    equal(comments(result), comments(text))
    equal("\r" in result.replace("\r\n", ""), False)
    if "\r\n" in text:
        equal("\n" in result.replace("\r\n", ""), False)
    if "\n\n" not in text:  # of a blank line without an end nothing is to be seen
        equal(result.endswith("\n"), text.endswith("\n"))
    if ((old.get("requirements") or {}).get("external_tools") or []) == spelled(tools):
        equal(result, text)
    sync(tools)
    equal(Path("m.yaml").read_bytes().decode(), result)


@test
def every_form_gets_the_list_and_keeps_the_rest():
    if not yaml:
        raise suite.Skip("needs python3-yaml")
    count = 0
    for text, tools in forms():
        try:
            check(text, tools)
        except AssertionError as error:
            raise AssertionError(f"{tools} into\n{text!r}\n{Path('m.yaml').read_bytes()!r}\n{error}") from error
        count += 1
    equal(count, (len(LISTS) * len(TOOLS) - 1) * 6)


tap.main()
