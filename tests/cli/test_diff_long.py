#!/usr/bin/env python3
"""What a comparison leaves out where there is much of one kind, it counts."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap  # noqa: E402
from tap import allowc, contains, equal, test  # noqa: E402

ROWS = "".join(f'allow tool{number}  adr 1  because "r"\n' for number in range(27))


def compare(old, new, *options, status="Accepted"):
    """The text, of two policies with each its own ADR; `status` is that of the new one."""
    for name, text, word in (("old", old, "Accepted"), ("new", new, status)):
        Path(name, "adr").mkdir(parents=True)
        Path(name, "adr/0001-tools.md").write_text(f"# 1. Tools\n\n## Status\n\n{word}\n", encoding="utf-8")
        Path(name, "p.allow").write_text(f'policy p\ndecisions "adr"\n{text}', encoding="utf-8")
    done = allowc("diff", *options, "old/p.allow", "new/p.allow")
    equal((done.returncode, done.stderr), (1, ""))
    return done.stdout


@test
def of_the_rows_that_a_record_no_longer_carries_twenty_are_shown():
    text = compare(ROWS, ROWS, "-Wno-adr-status", status="Rejected")
    shown = re.findall(r"^  ! tool\d+ +p\.allow:\d+ +still cites 0001$", text, re.M)
    equal(len(shown), 20, text)
    contains(text, "\n  ! and 7 more\n")


@test
def of_the_calls_that_a_row_denies_24_are_named():
    row = 'forbid strace  adr 1  because "r"  needs CAP_SYS_ADMIN  needs CAP_SYS_PTRACE\n'
    text = compare("", row)
    calls = re.search(r"denies (.*) and (\d+) more$", text, re.M)
    equal(bool(calls), True, text)
    plain = re.sub(r"\w+\{([^}]*)\}", lambda stem: " ".join(["x"] * len(stem[1].split(","))), calls[1])
    equal(len(plain.split()), 24, calls[0])
    contains(text.splitlines()[0], f"system calls narrower -{24 + int(calls[2])}")


@test
def of_the_commands_that_a_row_of_a_role_decides_six_are_named():
    rows = 'allow git  adr 1  because "r"\n' + "".join(
        f'allow "git {word}"  adr 1  because "r"\n'
        for word in ("add", "am", "apply", "bisect", "blame", "clone", "diff"))
    role = 'role gate {\n    forbid git  adr 1  because "r"\n}\n'
    contains(compare(rows + role.replace("forbid git", "forbid jq"), rows + role), " and 2 more")


@test
def of_the_roles_that_a_change_is_about_six_are_named():
    roles = "".join(f'role {name} {{\n    forbid jq  adr 1  because "r"\n}}\n'
                    for name in ("ada", "bernoulli", "cauchy", "dirac", "euler", "fermat", "gauss", "hilbert"))
    text = compare(ROWS + roles + 'allow git  adr 1  because "r"\n',
                   ROWS + roles.replace("forbid jq", "forbid git") + 'allow git  adr 1  because "r"\n')
    contains(text.splitlines()[0],
             "(role ada, role bernoulli, role cauchy, role dirac, role euler, role fermat and 2 more)")


if __name__ == "__main__":
    tap.main()
