#!/usr/bin/env python3
"""What the header's look-up reads of hostile text: never more than the longest command and one byte. In TAP."""

from __future__ import annotations

import os
import random
import shlex
import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402

USE = suite.ROOT / "tests" / "use"
FEW = ["git", "docker", "docker buildx", "x1", "a-name-of-more-than-sixteen-bytes"]
SHORT_ARRAY = """\
#include "p.h"
#include <stdio.h>
int ask(void);
int ask(void)
{
	char name[4];
	return fgets(name, sizeof name, stdin) != NULL && p_find(name) != NULL;
}
"""


def many() -> list[str]:
    """Of every length from 2 to 40, enough for the large form of the hash."""
    rng = random.Random(1)
    names = ["".join(rng.choice("abcdefghij") for _ in range(2 + number % 39)) + str(number) for number in range(300)]
    return ["git", "docker buildx", *names]


def pages(commands: list[str], *options: str) -> None:
    compiler = shlex.split(os.environ.get("CC", "cc"))
    suite.need(compiler[0])
    rows = [f'allow "{command}"  adr 0001  because "a row"\n' for command in commands]
    with suite.scratch() as folder:
        (folder / "p.allow").write_text("policy p\n" + "".join(rows))
        suite.compile_policy(folder / "p.allow", folder, "-Wno-adr-unchecked", "-Wno-launcher", "-Wno-covered",
                             "-Wno-spelling-twin", "--emit", "c-header")  # fmt: skip
        longest = max(map(len, commands))
        suite.run([*compiler, *options, "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", '-DHEADER="p.h"',
                   f"-DLONGEST={longest}", f"-I{folder}", USE / "pages.c", "-o", folder / "pages"])  # fmt: skip
        suite.run([folder / "pages"])


def short_array() -> None:
    """gcc warns where a bound that it knows is more than a caller's array has: this one it does not know."""
    suite.need("gcc")
    with suite.scratch() as folder:
        rows = [f'allow "{name}"  adr 1  because "a row"\n' for name in FEW]
        (folder / "p.allow").write_text("policy p\n" + "".join(rows))
        suite.compile_policy(folder / "p.allow", folder, "-Wno-adr-unchecked", "-Wno-launcher", "-Wno-covered",
                             "--emit", "c-header")  # fmt: skip
        (folder / "unit.c").write_text(SHORT_ARRAY, encoding="ascii")
        for level in ("-O1", "-O2", "-O3"):
            suite.run(["gcc", level, "-Wall", "-Wextra", "-Werror", "-c", folder / "unit.c", "-o", folder / "unit.o"])


def main() -> int:
    return suite.main([
        ("an array of four bytes", short_array),
    ] + [
        (f"{name}, {' '.join(options)}", partial(pages, commands, *options))
        for name, commands in (("few commands", FEW), ("many commands", many()))
        for options in (("-O2",), ("-O0",), ("-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"))
    ])  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
