#!/usr/bin/env python3
"""What the documents show is what happens, and what they link to is there.

    tests/cli/test_documents.py            in TAP
    tests/cli/test_documents.py --update   rewrites the outputs that the documents show
"""

from __future__ import annotations

import re
import shutil
import sys
from functools import partial
from pathlib import Path
from typing import Callable

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import documents  # noqa: E402
import suite  # noqa: E402
from documents import Place  # noqa: E402


# ---- documents that are followed ----


def sample_project(place: Place) -> None:
    """What docs/adopting.md starts from."""
    shutil.copytree(suite.ROOT / "tests/data/adopting", place.folder, dirs_exist_ok=True)
    documents.commit_all(place)


def this_project(place: Place) -> None:
    """As far as README.md uses it, with the compiler where a build puts it."""
    for folder in ("policies", "adr", "packaging/gen"):
        shutil.copytree(suite.ROOT / folder, place.folder / folder)
    (place.folder / "build").mkdir()
    shutil.copy(place.folder.parent / "bin" / "allowc", place.folder / "build")
    (place.folder / ".gitignore").write_text("/build/\n/generated/\n")
    documents.commit_all(place)


FOLLOWED: dict[str, Callable[[Place], None]] = {"docs/adopting.md": sample_project, "README.md": this_project}


def as_it_is_true(name: str) -> str:
    with documents.scratch_place() as place:
        FOLLOWED[name](place)
        return documents.follow(place, documents.read(name))


def follow(name: str) -> None:
    suite.need("git", "patch")
    documents.compare(name, documents.read(name), as_it_is_true(name))


def update() -> int:
    for name in FOLLOWED:
        (suite.ROOT / name).write_text(as_it_is_true(name), encoding="utf-8")
    return 0


def shows_the_sample() -> None:
    """The first policy of README.md is a piece of the one that its first command compiles."""
    shown = re.search(r"^```allow-rows [^\n]*\n(.*?)^```", documents.read("README.md"), re.M | re.S)
    if not shown or shown[1] not in documents.read("policies/phase7.allow"):
        suite.fail("README.md shows rows that policies/phase7.allow does not have, or not so")


def nothing_is_only_shown() -> None:
    """A page with `console` fences is one of those that are followed."""
    shown = [name for name in pages() if re.search(r"^`{3,}console", documents.read(name), re.M)]
    suite.same("pages with commands", sorted(shown), sorted(FOLLOWED))


# ---- links ----

LINK = re.compile(r"(?<!!)\[[^\]\n]*(?:\n[^\]\n]*)?\]\(([^()\s]+)\)")
CODE = re.compile(r"^(`{3,})[^\n]*\n.*?^\1[ \t]*$|`[^`\n]+`", re.M | re.S)
OTHERS = ("tests/golden/", "tests/data/")  # data, whose links lead where the case says


def pages() -> list[str]:
    listed = suite.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", "*.md"]).stdout
    return [name for name in listed.splitlines() if not name.startswith(OTHERS) and (suite.ROOT / name).exists()]


def anchors(text: str) -> set[str]:
    """The anchors that GitHub makes of the headings."""
    headings = re.findall(r"^#+ +(.*?) *$", CODE.sub(without_fences, text), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def without_fences(match: re.Match[str]) -> str:
    return "" if match[1] else match[0]


def broken_links(name: str, text: str) -> list[str]:
    """The relative links of a page that lead to no file, or to no heading of it."""
    links = LINK.findall(CODE.sub(lambda match: "" if match[1] else "code", text))
    why = {link: why_broken(name, text, *link.partition("#")[::2]) for link in links if not re.match("[a-z]+:", link)}
    return [f"{name}: {link}{said}" for link, said in why.items() if said]


def why_broken(name: str, text: str, path: str, anchor: str) -> str:
    file = (suite.ROOT / name).parent / path
    if path and not file.exists():
        return " is not there"
    if anchor and anchor not in anchors(file.read_text(encoding="utf-8") if path else text):
        return ": there is no such heading"
    return ""


def links_lead_somewhere() -> None:
    suite.need("git")
    broken = [link for name in pages() for link in broken_links(name, documents.read(name))]
    if broken:
        suite.fail("\n".join(broken))


# A page at the top, and what is wrong with its links.
PAGES = {
    "[a](README.md) [b](docs/../README.md#try-it) [c](#d)\n# D\n": "",
    "[a](https://example.org/x) ![i](https://example.org/i.png)": "",
    "```text\n[a](nowhere.md)\n```\n`[b](nowhere.md)`": "",
    "[a](nowhere.md)": "nowhere.md is not there",
    "[`a`](nowhere.md)": "nowhere.md is not there",
    "[a long\ntext](nowhere.md)": "nowhere.md is not there",
    "[a](README.md#nowhere)": "README.md#nowhere: there is no such heading",
    "[c](#d)\n```sh\n# D\n```\n": "#d: there is no such heading",
}


def finds_broken_links() -> None:
    for text, told in PAGES.items():
        suite.same(repr(text), "; ".join(broken_links("X.md", text)), f"X.md: {told}" if told else "")


# ---- the reader of documents itself ----

EXAMPLE = """\
```text some/file.txt
one
two
```

```diff
--- a/some/file.txt
+++ b/some/file.txt
@@ -1,2 +1,2 @@
 one
-two
+three
```

```console
$ cat some/file.txt
one
three
$ printf '%s\\n' a b c
a
...
$ false
$ echo $?
1
```
"""
# What an edit of the example is answered with; "" where it stays true.
EDITS = {
    "what is true": (EXAMPLE, ""),
    "a fence for the eye": (EXAMPLE + "```sh\n$ false\n```\n", ""),
    "another output": (EXAMPLE.replace("three\n$", "four\n$"), "-four\n+three\n"),
    "a line too few": (EXAMPLE.replace("one\nthree\n$", "one\n$"), "+three\n"),
    "a line too many": (EXAMPLE.replace("three\n$", "three\nfour\n$"), "-four\n"),
    "lines left out that are others": (EXAMPLE.replace("a\n...", "b\n..."), "-...\n+c\n"),
    "a status that is not shown": (EXAMPLE.replace("$ echo $?\n1\n", ""), "exit status 1, of which"),
    "another status": (EXAMPLE.replace("$?\n1", "$?\n2"), "-2\n+1\n"),
    "a diff that does not apply": (EXAMPLE.replace("-two", "-too"), "a diff that does not apply"),
    "an output without a command": ("```console\nx\n```\n", "before the first `$ `"),
}


def reader_says(text: str, told: str) -> None:
    with documents.scratch_place() as place:
        try:
            documents.compare("example.md", text, documents.follow(place, text))
            said = ""
        except AssertionError as failure:
            said = str(failure)
    if (told in said) if told else not said:
        return
    suite.fail(f"{told!r} is not what it says: {said!r}")


def main() -> int:
    if sys.argv[1:] == ["--update"]:
        return update()
    tests: list[suite.Test] = [(f"followed: {name}", partial(follow, name)) for name in FOLLOWED]
    tests += [("README.md shows the sample", shows_the_sample),
              ("every page with commands is followed", nothing_is_only_shown),
              ("every link of a page leads somewhere", links_lead_somewhere),
              ("what a broken link is", finds_broken_links)]  # fmt: skip
    tests += [(f"the reader: {name}", partial(reader_says, *edit)) for name, edit in EDITS.items()]
    return suite.main(tests)


if __name__ == "__main__":
    sys.exit(main())
