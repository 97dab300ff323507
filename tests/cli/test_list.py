#!/usr/bin/env python3
"""allowc list and its selectors."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap  # noqa: E402
from tap import equal, fails, passes, test  # noqa: E402

LOWER = """policy base
decisions "adr"

allow git  adr 0001  because "clones"
allow docker, jq  adr 0001  because "runs images"
decline npm  adr 0001  because "later"
"""

UPPER = """policy p1
extends base
decisions p1 "adr"

allow "docker buildx"  adr 1  because "builds more" {
    as buildx
}
allow dive  adr base/0001, 0001  because "looks into layers"
forbid strace  adr 0001  because "tracing is the host's"
forbid CAP_SYS_PTRACE  adr 0001  because "nobody traces"

role probe {
    forbid docker  adr 0001  because "a probe builds nothing"
}
plugin layers {
    tools "docker buildx", dive
    optional git
    forbid jq  adr 0001  because "not needed here"
}
"""


def listed(*arguments):
    tap.project(UPPER)
    Path("base.allow").write_text(LOWER, encoding="utf-8")
    return passes("list", "-Wno-declined", *arguments, "p1.allow").stdout.split("\n")[:-1]


@test
def allowed_commands_in_policy_order_lower_layers_first():
    equal(listed(), ["git", "docker", "jq", "docker buildx", "dive"])


@test
def as_spells_without_blanks():
    equal(listed("--as"), ["git", "docker", "jq", "buildx", "dive"])


@test
def forbidden_commands_without_capabilities():
    equal(listed("--forbidden"), ["strace"])


@test
def declined_commands():
    equal(listed("--declined"), ["npm"])


@test
def one_layer():
    equal(listed("--layer", "base"), ["git", "docker", "jq"])
    equal(listed("--layer", "p1"), ["docker buildx", "dive"])
    equal(listed("--layer", "base", "--forbidden"), [])


@test
def one_adr_with_its_scope_or_that_of_the_policy():
    equal(listed("--adr", "base/0001"), ["git", "docker", "jq", "dive"])
    equal(listed("--adr", "0001"), ["docker buildx", "dive"])
    equal(listed("--adr", "p1/ADR-1"), ["docker buildx", "dive"])
    equal(listed("--adr", "0001", "--forbidden"), ["strace"])
    equal(fails(2, "list", "-Wno-declined", "--adr", "0099", "p1.allow"),
          "allowc: no row of policy 'p1' cites an ADR '0099'\n")


@test
def one_adr_of_scopes_that_are_spelt_alike():
    scopes = {"phase2": "git", "P2": "jq", "phase-2": "dive"}
    for name, command in scopes.items():
        os.mkdir(name)
        Path(name, "0001-x.md").write_text(f"# 1. X\n\nStatus: Accepted\n\n`{command}`\n", encoding="utf-8")
    rows = "".join(f'decisions {name} "{name}"\nallow {command}  adr {name}/1  because "x"\n'
                   for name, command in scopes.items())  # fmt: skip
    Path("p.allow").write_text("policy p\n" + rows, encoding="utf-8")
    for name, command in scopes.items():
        equal(passes("list", "--adr", f"{name}/0001", "p.allow").stdout, command + "\n")
    equal(fails(2, "list", "--adr", "02/0001", "p.allow"),
          "allowc: --adr: '02' may be more than one scope of ADRs; write the scope's name\n")
    Path("p.allow").write_text("policy p\n" + rows[:rows.index("decisions P2")], encoding="utf-8")
    equal(passes("list", "--adr", "02/0001", "p.allow").stdout, "git\n")
    equal(passes("list", "--adr", "P2/1", "p.allow").stdout, "git\n")


@test
def a_role_narrows_longer_commands_too():
    equal(listed("--role", "probe"), ["git", "jq", "dive"])
    equal(listed("--role", "probe", "--forbidden"), ["docker", "docker buildx", "strace"])


@test
def a_plugin_has_its_tools_in_its_order():
    equal(listed("--plugin", "layers"), ["docker buildx", "dive", "git"])
    equal(listed("--plugin", "layers", "--as"), ["buildx", "dive", "git"])
    equal(listed("--plugin", "layers", "--forbidden"), ["jq", "strace"])


@test
def an_unknown_name_is_trouble_with_the_nearest():
    tap.project(UPPER)
    Path("base.allow").write_text(LOWER, encoding="utf-8")
    for option, name, message in [
        ("--layer", "bsae", "policy 'p1' has no layer 'bsae'; did you mean 'base'?"),
        ("--role", "prob", "policy 'p1' has no role 'prob'; did you mean 'probe'?"),
        ("--plugin", "nothing-like-it", "policy 'p1' has no plugin 'nothing-like-it'"),
        ("--adr", "first", "--adr cannot be 'first'; it is a reference like 0015 or phase2/0001"),
    ]:
        equal(fails(2, "list", "-Wno-declined", option, name, "p1.allow"), f"allowc: {message}\n")


tap.main()
