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
    tests += [(f"the reader: {name}", partial(reader_says, *edit)) for name, edit in EDITS.items()]
    return suite.main(tests)


if __name__ == "__main__":
    sys.exit(main())
