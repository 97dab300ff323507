#!/usr/bin/env python3
"""--audit: filters that refuse nothing, beside those that do; each run minds what the other wrote."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import CHANGED, contains, equal, fails, passes, project, snapshot, test  # noqa: E402

AUDIT = ["p1.audit.bpf", "p1.audit.seccomp.h"]
RETURN = 0x06
ALLOW, LOG = 0x7FFF0000, 0x7FFC0000


def states(done):
    return {path: state for state, path in re.findall(r"^  (\S+(?: \S+)?) {2,}generated/(.+)$", done.stdout, re.M)}


def listed():
    text = Path("generated/p1.sha256").read_text(encoding="utf-8")
    return [line.split("  ", 1)[1] for line in text.splitlines()]


def returns(path):
    """The values that a filter's bytes can return."""
    data = Path(path).read_bytes()
    items = [data[at : at + 8] for at in range(0, len(data), 8)]
    return {int.from_bytes(item[4:], "little") for item in items if item[0] == RETURN and item[1] == 0}


@test
def it_writes_filters_alone():
    project(CHANGED)
    done = passes("--audit", "p1.allow")
    equal(states(done), dict.fromkeys([*AUDIT, "p1.sha256"], "written"))
    equal(sorted(snapshot()), [*AUDIT, "p1.sha256"])
    equal(listed(), AUDIT)


@test
def nothing_is_refused():
    project(CHANGED)
    passes("p1.allow")
    passes("--audit", "p1.allow")
    equal(returns("generated/p1.audit.bpf"), {ALLOW, LOG})
    equal(returns("generated/p1.bpf"), {ALLOW, 0x80000000, 0x00050001, 0x00050026})
    contains(Path("generated/p1.audit.seccomp.h").read_text(encoding="utf-8"), "Audit: nothing is refused.")


@test
def the_same_of_every_default_and_action():
    for settings in ("default kill; unknown kill", "default errno EPERM; deny-with kill; arch aarch64",
                     "default log", "deny-with kill; abi x32", "unknown default; default kill; abi x86_64, x32"):  # fmt: skip
        project(CHANGED + f"seccomp {{ {settings} }}\n")
        passes("--audit", "p1.allow")
        equal(returns("generated/p1.audit.bpf") - {ALLOW, LOG}, set(), settings)


@test
def neither_run_orphans_what_the_other_wrote():
    project(CHANGED)
    passes("p1.allow")
    plain = snapshot()
    done = passes("--audit", "p1.allow")
    equal(states(done), dict.fromkeys([*AUDIT, "p1.sha256"], "written"))
    both = snapshot()
    equal({path: data for path, data in both.items() if path in plain and path != "p1.sha256"},
          {path: data for path, data in plain.items() if path != "p1.sha256"})  # fmt: skip
    equal(listed(), sorted(path for path, data in both.items() if data is not None and path != "p1.sha256"))
    equal(set(states(passes("p1.allow")).values()), {"unchanged"})
    equal(snapshot(), both)


@test
def each_run_says_what_of_the_other_is_out_of_date():
    project(CHANGED)
    passes("p1.allow")
    passes("--audit", "p1.allow")
    project(CHANGED.replace("    needs CAP_SYS_PTRACE\n", "    needs CAP_SYS_PTRACE, CAP_BPF\n"))
    done = passes("p1.allow")
    contains(done.stdout, "  kept       generated/p1.audit.bpf  (out of date: --emit +bpf --audit)\n")
    equal(passes("--audit", "p1.allow").stdout.count("written"), 3)
    passes("--check", "p1.allow")


@test
def check_looks_at_both():
    project(CHANGED)
    passes("p1.allow")
    passes("--audit", "p1.allow")
    passes("--check", "p1.allow")
    passes("--check", "--audit", "p1.allow")
    Path("generated/p1.audit.bpf").write_bytes(b"")
    for options in (["--check"], ["--check", "--audit"]):
        done = tap.allowc(*options, "p1.allow")
        equal((done.returncode, done.stderr), (1, ""))
        contains(done.stdout, "generated/p1.audit.bpf")


@test
def emit_chooses_among_the_filters():
    project(CHANGED)
    passes("--audit", "--emit", "listing,names", "p1.allow")
    equal(sorted(snapshot()), ["p1.audit.seccomp.txt", "p1.sha256"])
    equal(passes("--list-outputs", "--emit", "all", "--audit", "p1.allow").stdout.split(),
          ["generated/p1.audit.seccomp.h", "generated/p1.audit.bpf", "generated/p1.audit.seccomp.txt",
           "generated/p1.sha256"])  # fmt: skip


@test
def without_a_filter_there_is_nothing_to_audit():
    project(CHANGED)
    equal(fails(2, "--audit", "--emit", "names,json", "p1.allow").splitlines()[0],
          "allowc: --audit: none of the artifacts of --emit is a filter; there are seccomp, bpf, listing")  # fmt: skip
    equal(Path("generated").exists(), False)


@test
def no_name_leads_to_it_but_the_option():
    project(CHANGED)
    contains(fails(2, "--emit", "bpf --audit", "p1.allow"), "there is no artifact 'bpf --audit'")
    help_text = passes("--help").stdout
    contains(help_text, "--audit")
    equal("bpf --audit" in help_text, False)
    passes("--emit", "all", "-Wno-oci-replaces-default", "p1.allow")
    equal([path for path in snapshot() if "audit" in path], [])


@test
def both_headers_stand_in_one_unit():
    tap.needs("gcc", "g++")
    project(CHANGED)
    passes("p1.allow")
    passes("--audit", "p1.allow")
    Path("unit.c").write_text(
        '#include "p1.audit.seccomp.h"\n#include "p1.seccomp.h"\n#include "p1.audit.seccomp.h"\n'
        "int main(void)\n{\n\treturn P1_AUDIT_FILTER_LENGTH > 0 ? 0 * p1_audit_install_filter() : p1_install_filter();\n}\n",
        encoding="utf-8",
    )
    for words in (["gcc", "-std=c99"], ["g++", "-x", "c++", "-std=c++11"]):
        suite.run([*words, "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", "-Igenerated", "unit.c"],
                  cwd=Path.cwd())  # fmt: skip


tap.main()
