#!/usr/bin/env python3
"""Same policy, same bytes: in another run, folder, locale, time zone and build. Answers in TAP."""

from __future__ import annotations

import os
import shutil
import sys
from functools import partial
from pathlib import Path

import suite

POLICIES = ("phase2", "phase3", "phase7")
LOCALE = "tr_TR.UTF-8"  # upper case of i is İ there, lower case of I is ı


def written(binary: str, root: Path, policy: str, environment: dict[str, str]) -> dict[str, bytes]:
    """All artifacts of one policy, compiled in `root`."""
    with suite.scratch() as folder:
        suite.run([binary, "-q", "--emit", "all", "-o", folder, policy], cwd=root, environment=environment)
        return suite.tree(folder)


def reference(name: str) -> dict[str, bytes]:
    return written(suite.ALLOWC, suite.ROOT, f"policies/{name}.allow", suite.ENVIRONMENT)


def compare(name: str, other: dict[str, bytes]) -> None:
    first = reference(name)
    if len(first) < 5:
        suite.fail(f"only {len(first)} artifacts were written")
    suite.same("the artifacts", sorted(other), sorted(first))
    differing = [path for path in first if first[path] != other[path]]
    suite.same("files that differ", differing, [])


def another_run(name: str) -> None:
    compare(name, reference(name))


def another_folder(name: str) -> None:
    """A copy elsewhere, compiled from inside its folder of policies."""
    with suite.scratch() as scratch:
        copy = scratch / "another place" / "deeper"
        for folder in ("policies", "adr"):
            shutil.copytree(suite.ROOT / folder, copy / folder)
        compare(name, written(suite.ALLOWC, copy / "policies", f"{name}.allow", suite.ENVIRONMENT))


def absolute_path(name: str) -> None:
    policy = suite.ROOT / "policies" / f"{name}.allow"
    compare(name, written(suite.ALLOWC, Path("/"), str(policy), suite.ENVIRONMENT))


def turkish() -> dict[str, str]:
    """An environment with a Turkish locale, built into the build folder on first use."""
    suite.need("localedef", "sed")
    folder = suite.BUILD / "locale"
    if not (folder / LOCALE).is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        made = suite.run(["localedef", "-i", "tr_TR", "-f", "UTF-8", folder / LOCALE], expect=None)
        if not (folder / LOCALE / "LC_CTYPE").exists():
            raise suite.Skip(f"localedef cannot build {LOCALE}: {made.stderr.strip()}")
    return suite.ENVIRONMENT | {"LOCPATH": str(folder), "LC_ALL": LOCALE, "LANG": LOCALE}


def locale_has_its_rules() -> None:
    """Without this, the next test could pass because the locale was never there."""
    script = suite.run(["sh", "-c", r"printf 'i' | sed 's/.*/\U&/'"], environment=turkish())
    suite.same("the upper case of i", script.stdout, "İ")


def another_locale(name: str) -> None:
    compare(name, written(suite.ALLOWC, suite.ROOT, f"policies/{name}.allow", turkish()))


def another_time_zone(name: str) -> None:
    """Fourteen hours ahead, then eleven behind: two dates at any moment."""
    for zone in ("AAA-14", "BBB+11"):
        environment = suite.ENVIRONMENT | {"TZ": zone}
        compare(name, written(suite.ALLOWC, suite.ROOT, f"policies/{name}.allow", environment))


def another_build(name: str) -> None:
    """ALLOWC_PEER is the same source built by another compiler."""
    peer = os.environ["ALLOWC_PEER"]
    compare(name, written(peer, suite.ROOT, f"policies/{name}.allow", suite.ENVIRONMENT))


def main() -> int:
    ways = [another_run, another_folder, absolute_path, another_locale, another_time_zone]
    if "ALLOWC_PEER" in os.environ:
        ways.append(another_build)
    tests: list[suite.Test] = [("the locale has other rules for i", locale_has_its_rules)]
    for way in ways:
        tests += [(f"{name}: {way.__name__.replace('_', ' ')}", partial(way, name)) for name in POLICIES]
    return suite.main(tests)


if __name__ == "__main__":
    sys.exit(main())
