#!/usr/bin/env python3
"""Roles in all artifacts: they agree with each other and with `list --role`, and they only narrow."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import allowc, contains, equal, fails, passes, test  # noqa: E402

QUIET = ("-Wno-adr-silent", "-Wno-covered", "-Wno-prefix-forbid", "-Wno-launcher", "-Wno-incomplete-group",
         "-Wno-known-needs", "-Wno-oci-replaces-default", "-Wno-oci-left-out")  # fmt: skip

LAYERS = """policy p
decisions "adr"

allow docker, git, jq  adr 0001  because "tools"
allow "docker buildx"  adr 0001  because "builds"  requires docker >= 20.10, git
allow "git log"  adr 0001  because "reads history"
forbid "git push"  adr 0001  because "CI pushes"
forbid strace  adr 0001  because "the host traces"
decline npm  adr 0001  because "later"
"""
ROLES = """
role gate {
    forbid docker  adr 0001  because "a gate looks"
    allow "docker buildx"  adr 0001  because "but for images"
    forbid "docker buildx bake"  adr 0001  because "of one file"
    forbid "git log --all"  adr 0001  because "it is long"  instead "git log"
}
role Read-only.2 {
    forbid git  adr 0001  because "writes"
    allow "git log"  adr 0001  because "reads"
    allow "git push --dry-run"  adr 0001  because "reads"
}
role count {
}
role 7z {
    forbid jq, "docker buildx", git, docker  adr 0001  because "packs"
}
"""
NARROWING = ROLES.replace('    allow "git push --dry-run"  adr 0001  because "reads"\n', "")
NAMES = {"gate": "GATE", "Read-only.2": "READ_ONLY_2", "count": "COUNT_2", "7z": "7Z"}

# What each role may run, by LANGUAGE's rules, in the order of the policy.
ALLOWED = {
    "gate": ["git", "jq", "docker buildx", "git log"],
    "Read-only.2": ["docker", "jq", "docker buildx", "git log"],
    "count": ["docker", "git", "jq", "docker buildx", "git log"],
    "7z": [],
}

# The verdict on a vector and the command of the row that decides: the longest of the role's own, where it forbids,
# else the longest of the layers.
CASES = [
    ("gate", ["docker"], "forbidden", "docker"),
    ("gate", ["docker", "run"], "forbidden", "docker"),
    ("gate", ["docker", "buildx"], "allowed", "docker buildx"),
    ("gate", ["docker", "buildx", "build", "."], "allowed", "docker buildx"),
    ("gate", ["docker", "buildx", "bake"], "forbidden", "docker buildx bake"),
    ("gate", ["docker", "--context", "x", "buildx"], "forbidden", "docker"),
    ("gate", ["git", "log"], "allowed", "git log"),
    ("gate", ["git", "log", "--all", "-p"], "forbidden", "git log --all"),
    ("gate", ["git", "push"], "forbidden", "git push"),
    ("gate", ["git push"], "unlisted", None),
    ("gate", ["docker buildx"], "unlisted", None),
    ("gate", ["", "docker"], "unlisted", None),
    ("gate", [], "unlisted", None),
    ("gate", ["strace"], "forbidden", "strace"),
    ("gate", ["npm"], "unlisted", None),
    ("gate", ["dockerd"], "unlisted", None),
    ("gate", ["docker", "a-word-that-is-longer-than-any-command-of-the-policy"], "forbidden", "docker"),
    ("Read-only.2", ["git"], "forbidden", "git"),
    ("Read-only.2", ["git", "push"], "forbidden", "git"),
    ("Read-only.2", ["git", "log", "-p"], "allowed", "git log"),
    ("Read-only.2", ["docker", "run"], "allowed", "docker"),
    ("count", ["docker", "run"], "allowed", "docker"),
    ("count", ["git", "push"], "forbidden", "git push"),
    ("count", ["bash"], "unlisted", None),
]


def project(text):
    Path("adr").mkdir(exist_ok=True)
    Path("adr/0001-roles.md").write_text("# 1. Roles\n\nStatus: Accepted\n", encoding="utf-8")
    Path("p.allow").write_text(text, encoding="utf-8")


def compiled(text, *arguments):
    project(text)
    return passes(*QUIET, *arguments, "p.allow")


def python(lines):
    start = "import sys; sys.path.insert(0, 'generated'); import p, json\n"
    return suite.run([sys.executable, "-I", "-S", "-B", "-c", start + lines], cwd=Path.cwd()).stdout


def program(lines, *headers):
    """Compiles a main function, which returns 0, with the warnings of the contract, and runs it."""
    suite.need("gcc")
    Path("use.c").write_text("".join(f'#include "{header}"\n' for header in headers) +
                             f"#include <stdio.h>\nint main(void)\n{{\n{lines}\treturn 0;\n}}\n",
                             encoding="utf-8")  # fmt: skip
    suite.run(["gcc", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Wconversion", "-Werror", "-Igenerated", "use.c",
               "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-o", "use"], cwd=Path.cwd())  # fmt: skip
    return suite.run(["./use"], cwd=Path.cwd()).stdout


def quoted(text):
    return '"' + text.replace('"', '\\"') + '"'


@test
def every_artifact_has_the_set_that_list_prints():
    compiled(LAYERS + NARROWING, "--emit", "all")
    sets = json.loads(python("print(json.dumps({role: sorted(names) for role, names in "
                             "p.ALLOWED_BINARIES_BY_ROLE.items()}))"))  # fmt: skip
    policy = json.loads(Path("generated/p.json").read_text(encoding="utf-8"))
    in_json = {role["name"]: role["allowed"] for role in policy["roles"]}
    asked = sorted({row["subject"] for row in policy["rows"]} | {"docker buildx bake", "docker run", "git log --all"})
    for role, expected in ALLOWED.items():
        equal(passes("list", *QUIET, "--role", role, "p.allow").stdout.splitlines(), expected)
        equal(Path(f"generated/p.{role}.names").read_text(encoding="utf-8").splitlines(), expected)
        equal(in_json[role], expected)
        equal(sets[role], sorted(expected))
        lines = "".join(f"\tif (p_allowed_in(P_ROLE_{NAMES[role]}, {quoted(name)}))\n\t\tputs({quoted(name)});\n"
                        for name in asked)  # fmt: skip
        equal(program(lines, "p.h").splitlines(), sorted(expected))


@test
def header_and_module_decide_argument_vectors_alike():
    compiled(LAYERS + NARROWING)
    vectors = json.dumps([[role, argv] for role, argv, _, _ in CASES])
    found = json.loads(python(f"print(json.dumps([p.match_in(*case) for case in json.loads({vectors!r})]))"))
    equal(found, [[verdict, command] for _, _, verdict, command in CASES])
    lines = "\tconst struct p_row *row;\n"
    for role, argv, _, _ in CASES:
        words = "".join(f"{quoted(word)}, " for word in argv)
        lines += (f"\t{{\n\t\tconst char *const argv[] = {{ {words}NULL }};\n"
                  f"\t\trow = p_match_in(P_ROLE_{NAMES[role]}, argv);\n"
                  '\t\tprintf("%d %s\\n", row ? (int)row->verdict : 0, row ? row->command : "");\n\t}\n')  # fmt: skip
    words = ["unlisted", "allowed", "forbidden"]
    found = [line.split(" ", 1) for line in program(lines, "p.h").splitlines()]
    equal([[words[int(verdict)], command or None] for verdict, command in found],
          [[verdict, command] for _, _, verdict, command in CASES])  # fmt: skip


@test
def a_role_that_there_is_not_gets_nothing():
    compiled(LAYERS + NARROWING)
    script = ("for role in ('none', '', 'Gate', None):\n"
              "    try:\n        p.match_in(role, ['jq'])\n        print('answered')\n"
              "    except KeyError:\n        print('no', role)\n")  # fmt: skip
    equal(python(script), "no none\nno \nno Gate\nno None\n")
    lines = ('\tconst char *const argv[] = { "jq", NULL };\n'
             "\tenum p_role none = (enum p_role)P_ROLE_COUNT;\n"
             '\tprintf("%d %d\\n", p_match_in(none, argv) == NULL, p_allowed_in(none, "jq"));\n')  # fmt: skip
    equal(program(lines, "p.h"), "1 0\n")


@test
def roles_of_a_policy_without_commands_are_asked_as_others_are():
    head = LAYERS.split("allow docker")[0]
    lines = ('\tconst char *const argv[] = { "jq", NULL }, *const empty[] = { NULL };\n'
             '\tprintf("%d %d %d\\n", p_match_in(P_ROLE_GATE, argv) == NULL, p_match_in(P_ROLE_GATE, empty) == NULL,\n'
             '\t       p_allowed_in(P_ROLE_GATE, "jq"));\n')  # fmt: skip
    for row in ("", '    forbid CAP_SYS_TIME  adr 0001  because "sets no clock"\n'):
        compiled(head + f"role gate {{\n{row}}}\n")
        equal(program(lines, "p.h"), "1 1 0\n")
        equal(python("print(p.match_in('gate', ['jq']))"), "('unlisted', None)\n")


@test
def the_rows_of_a_role_have_their_reasons():
    compiled(LAYERS + NARROWING)
    equal(python("print(p.FORBIDDEN_BINARIES_BY_ROLE['gate']['git log --all'])"), "it is long\n")
    lines = ('\tconst char *const argv[] = { "git", "log", "--all", NULL };\n'
             "\tconst struct p_row *row = p_match_in(P_ROLE_GATE, argv);\n"
             '\tprintf("%s; %s; %s\\n", row->reason, row->instead, row->adr);\n')  # fmt: skip
    equal(program(lines, "p.h"), "it is long; git log; p/0001\n")


@test
def header_and_module_name_the_roles():
    compiled(LAYERS + NARROWING)
    lines = ("#define SHOW(role, name) printf(\"%d %s\\n\", (int)role, name);\n"
             "\tP_FOR_EACH_ROLE(SHOW)\n\tprintf(\"%d\\n\", P_ROLE_COUNT);\n")  # fmt: skip
    equal(program(lines, "p.h"), "0 gate\n1 Read-only.2\n2 count\n3 7z\n4\n")
    equal(python("print(*p.ALLOWED_BINARIES_BY_ROLE)"), "gate Read-only.2 count 7z\n")


@test
def requirements_are_data_for_a_readiness_check():
    """Each language's own reader takes them apart: the command, what it needs, how the version compares."""
    compiled(LAYERS, "--emit", "+json")
    lines = ("#define SHOW(command, needed, relation, version) \\\n"
             "\tputs(command \"|\" needed \"|\" relation \"|\" version);\n"
             "\tP_FOR_EACH_REQUIREMENT(SHOW)\n\tprintf(\"%d\\n\", P_REQUIREMENT_COUNT);\n")  # fmt: skip
    equal(program(lines, "p.h"), "docker buildx|docker|>=|20.10\ndocker buildx|git||\n2\n")
    equal(python("print(*p.REQUIREMENTS['docker buildx'], sep='|')"), "docker >= 20.10|git\n")
    rows = json.loads(Path("generated/p.json").read_text(encoding="utf-8"))["rows"]
    (found,) = [row["requires"] for row in rows if "requires" in row]
    equal(found, [{"command": "docker", "operator": ">=", "version": "20.10"}, {"command": "git"}])


@test
def a_header_of_roles_without_commands_compiles():
    """Their look-up measures words, though there is no row to be found."""
    vector = '\tconst char *const argv[] = { "jq", NULL };\n'
    ask = "\tprintf(\"%d %d\\n\", p_match_in(P_ROLE_GATE, argv) == NULL, p_allowed_in(P_ROLE_GATE, \"jq\"));\n"
    for rows in ("", '    forbid syscall acct  adr 0001  because "it accounts for nothing"\n'):
        compiled(f'policy p\ndecisions "adr"\nrole gate {{\n{rows}}}\n')
        equal(program(vector + ask, "p.h"), "1 0\n")


@test
def the_headers_of_p_and_of_p_role_go_into_one_unit():
    compiled(LAYERS + NARROWING)
    Path("p-role.allow").write_text((LAYERS + NARROWING).replace("policy p\n", "policy p-role\n"), encoding="utf-8")
    passes(*QUIET, "p-role.allow")
    lines = ('\tconst char *const argv[] = { "git", "push", NULL };\n'
             "\tprintf(\"%s %s\\n\", p_match_in(P_ROLE_READ_ONLY_2, argv)->command,\n"
             "\t       p_role_match_in(P_ROLE_ROLE_GATE, argv)->command);\n")  # fmt: skip
    equal(program(lines, "p.h", "p-role.h"), "git git push\n")
def requirements_of_roles_are_data_too():
    """What a role's own rows require stands beside what everyone's do, and has the role."""
    roles = """
role gate {
    allow "docker buildx"  adr 0001  because "for images"  requires docker >= 23.0, jq
    allow docker  adr 0001  because "and to look"
    allow git  adr 0001  because "reads"  requires jq
}
role count {
    forbid jq  adr 0001  because "counts"
}
role 7z {
    allow "docker buildx"  adr 0001  because "packs images"  requires git
}
"""
    compiled(LAYERS + roles, "--emit", "+json")
    lines = ("#define SHOW(role, command, needed, relation, version) \\\n"
             "\tprintf(\"%d|%s\\n\", (int)role, command \"|\" needed \"|\" relation \"|\" version);\n"
             "\tP_FOR_EACH_REQUIREMENT_BY_ROLE(SHOW)\n"
             "\tprintf(\"%d %d\\n\", P_REQUIREMENT_BY_ROLE_COUNT, P_REQUIREMENT_COUNT);\n")  # fmt: skip
    equal(program(lines, "p.h").splitlines(),
          ["0|docker buildx|docker|>=|23.0", "0|docker buildx|jq||", "0|git|jq||", "2|docker buildx|git||", "4 2"])
    needed = {"gate": {"docker buildx": ["docker >= 23.0", "jq"], "git": ["jq"]}, "count": {},
              "7z": {"docker buildx": ["git"]}}  # fmt: skip
    equal(json.loads(python("print(json.dumps({role: dict(rows) for role, rows in p.REQUIRED_BY_ROLE.items()}))")), needed)
    equal(python("print(*p.REQUIREMENTS['docker buildx'], sep='|')"), "docker >= 20.10|git\n")
    in_json = json.loads(Path("generated/p.json").read_text(encoding="utf-8"))["roles"]
    equal({role["name"]: [[row["subject"], row["requires"]] for row in role["rows"] if "requires" in row] for role in in_json},
          {"gate": [["docker buildx", [{"command": "docker", "operator": ">=", "version": "23.0"}, {"command": "jq"}]],
                    ["git", [{"command": "jq"}]]],
           "count": [], "7z": [["docker buildx", [{"command": "git"}]]]})  # fmt: skip


@test
def where_no_role_requires_anything_the_data_is_empty():
    compiled(LAYERS + NARROWING)
    lines = ("#define SHOW(role, command, needed, relation, version) puts(command);\n"
             "\tP_FOR_EACH_REQUIREMENT_BY_ROLE(SHOW)\n\tprintf(\"%d\\n\", P_REQUIREMENT_BY_ROLE_COUNT);\n")  # fmt: skip
    equal(program(lines, "p.h"), "0\n")
    equal(python("print([(role, dict(rows)) for role, rows in p.REQUIRED_BY_ROLE.items()])"),
          "[('gate', {}), ('Read-only.2', {}), ('count', {}), ('7z', {})]\n")


# ---- filters ----

KERNEL = """
role gate {
    forbid docker  adr 0001  because "a gate looks"
}
role probe {
    forbid syscall personality(persona == 0x20000)  adr 0001  because "no old addresses"
}
"""


@test
def only_a_role_that_denies_calls_has_a_filter():
    compiled(LAYERS + KERNEL)
    equal(sorted(path.name for path in Path("generated").glob("*.bpf")), ["p.bpf", "p.probe.bpf"])
    equal(sorted(path.name for path in Path("generated").glob("*.seccomp.h")), ["p.probe.seccomp.h", "p.seccomp.h"])
    listed = passes("--list-outputs", *QUIET, "p.allow").stdout.splitlines()
    contains("\n".join(listed), "generated/p.bpf\ngenerated/p.probe.bpf\n")
    suite.need("sha256sum")
    suite.run(["sha256sum", "--check", "--strict", "--quiet", "p.sha256"], cwd=Path.cwd() / "generated")
    contains(Path("generated/p.sha256").read_text(encoding="utf-8"), "  p.probe.bpf\n")
    passes("--check", *QUIET, "p.allow")


@test
def a_role_that_denies_what_is_denied_already_has_no_filter():
    """A role has no filter for what is denied or logged already, nor for what no ABI of the policy has."""
    for settings, row in (("abi aarch64", "open"), ("abi aarch64; default log", "kcmp"),
                          ("abi aarch64; default errno EPERM", "kcmp")):  # fmt: skip
        verdict = "with log" if "log" in settings else ""
        role = f'role gate {{\n    forbid syscall {row}  adr 0001  because "r"  {verdict}\n}}\n'
        project(f"{LAYERS}seccomp {{ {settings} }}\n{role}")
        passes(*QUIET, "-Wno-action", "-Wno-other-abi", "--emit", "bpf,listing", "p.allow")
        equal(sorted(path.name for path in Path("generated").iterdir()), ["p.bpf", "p.seccomp.txt", "p.sha256"])


@test
def a_role_gets_the_default_where_its_row_says_it_beside_a_milder_denial():
    """What the layers deny by a row does not get the default: a role's row that says so is not idle."""
    project(LAYERS.replace("forbid strace", 'forbid syscall kcmp  adr 0001  because "l"\nforbid strace')
            + 'seccomp { abi aarch64; default kill }\n'
            + 'role gate {\n    forbid syscall kcmp(type == 3)  adr 0001  because "r"  with kill\n}\n')
    passes(*QUIET, "--emit", "bpf,json", "p.allow")
    denied = json.loads(Path("generated/p.json").read_text(encoding="utf-8"))["roles"][0]["seccomp"]["denied"]
    equal([(call["name"], [cause["subject"] for cause in call["causes"]]) for call in denied],
          [("kcmp", ["kcmp", "kcmp(type == 3)"])])
    equal(sorted(path.name for path in Path("generated").glob("*.bpf")), ["p.bpf", "p.gate.bpf"])


@test
def without_roles_an_artifact_is_as_it_was():
    compiled(LAYERS)
    before = suite.tree(Path("generated"))
    compiled(LAYERS + "\nrole gate {\n}\n")
    after = suite.tree(Path("generated"))
    equal(sorted(name for name in after if before.get(name) != after[name]), ["p.h", "p.py", "p.sha256"])
    compiled(LAYERS)
    equal(suite.tree(Path("generated")), before)


@test
def the_filter_of_a_role_that_is_called_install_goes_beside_that_of_the_policy():
    compiled(LAYERS + KERNEL.replace("role probe", "role install"))
    lines = "\tputs(p_install_filter == p_install_install_filter ? \"one\" : \"two\");\n"
    equal(program(lines, "p.seccomp.h", "p.install.seccomp.h"), "two\n")


@test
def the_depfile_has_the_files_of_roles():
    compiled(LAYERS + KERNEL, "--depfile", "p.d")
    contains(Path("p.d").read_text(encoding="utf-8"), "generated/p.probe.bpf")


@test
def a_filter_that_the_role_lost_is_removed():
    compiled(LAYERS + KERNEL)
    project(LAYERS)
    done = allowc(*QUIET, "--check", "p.allow")
    equal(done.returncode, 1)
    contains(done.stdout, "  orphaned   generated/p.probe.bpf\n")
    contains(passes(*QUIET, "p.allow").stdout, "  removed    generated/p.probe.bpf\n")
    equal(Path("generated/p.probe.bpf").exists(), False)


@test
def an_audit_has_the_filters_of_roles_too():
    compiled(LAYERS + KERNEL, "--audit", "--emit", "bpf")
    equal(sorted(path.name for path in Path("generated").glob("*.bpf")), ["p.audit.bpf", "p.probe.audit.bpf"])
    compiled(LAYERS + KERNEL, "--emit", "bpf")
    equal(sorted(path.name for path in Path("generated").glob("*.bpf")),
          ["p.audit.bpf", "p.bpf", "p.probe.audit.bpf", "p.probe.bpf"])  # fmt: skip


@test
def sync_gives_a_named_place_the_filter_of_the_policy():
    compiled(LAYERS + KERNEL)
    project(LAYERS + KERNEL + 'output bpf "in/place.bpf"\n')
    Path(".git").mkdir()
    Path("in").mkdir()
    passes("sync", *QUIET, "p.allow")
    equal(Path("in/place.bpf").read_bytes(), Path("generated/p.bpf").read_bytes())
    equal(sorted(path.name for path in Path("in").iterdir() if path.suffix == ".bpf"), ["place.bpf"])


@test
def the_kernel_refuses_what_the_role_alone_may_not():
    compiled(LAYERS + KERNEL)
    lines = ("\tif (personality(0x20000) < 0)\n\t\treturn puts(\"refused already\") < 0;\n"
             "\tpersonality(0);\n"
             "\tif (p_probe_install_filter() != 0)\n\t\treturn 1;\n"
             "\tprintf(\"%d %d\\n\", personality(0x20000) < 0 && errno == EPERM, personality(0));\n")  # fmt: skip
    found = program(lines, "p.h", "p.seccomp.h", "p.probe.seccomp.h", "errno.h", "sys/personality.h")
    if found == "refused already\n":
        raise suite.Impossible("personality(2) is refused")
    equal(found, "1 0\n")


@test
def headers_of_roles_stand_beside_each_other_whatever_the_roles_are_called():
    roles = ("install", "filter", "install-filter", "gate", "gate-install", "role", "role-filter", "class")
    rows = [f'role {role} {{\n    forbid syscall kcmp  adr 0001  because "r"\n}}\n' for role in roles]
    compiled(LAYERS + "".join(rows), "-Wno-spelling-twin")
    equal(program("", "p.h", "p.seccomp.h", *(f"p.{role}.seccomp.h" for role in roles)), "")


@test
def engines_get_all_profiles_or_none():
    """What the profile of a role cannot say: the default leaves the artifact out, a name is an error."""
    listed = LAYERS + "seccomp { default errno EPERM; abi x86_64 }\nallow syscall read, socket, clone  adr 0001\n"
    narrow = ('role probe {\n    forbid syscall socket(domain == AF_ALG)  adr 0001  because "r"  '
              'with errno EAFNOSUPPORT\n    forbid syscall clone(flags & CLONE_NEWUSER)  adr 0001  because "r"  '
              "with errno EACCES\n}\n")  # fmt: skip
    compiled(listed, "-Wno-reason")
    equal(Path("generated/p.seccomp.json").exists(), True)
    project(listed + narrow)
    done = allowc("-Wno-reason", *QUIET, "-Woci-left-out", "p.allow")
    equal(done.returncode, 0)
    contains(done.stderr, "no profile for container engines is written")
    equal(sorted(path.name for path in Path("generated").glob("*.json")), [])
    equal(Path("generated/p.probe.bpf").exists(), True)
    fails(1, "-Wno-reason", *QUIET, "--emit", "oci-seccomp", "p.allow")


# ---- changes ----


def compare(old, now):
    project(old)
    Path("old.allow").write_text(old, encoding="utf-8")
    Path("p.allow").write_text(now, encoding="utf-8")
    return allowc("diff", *QUIET, "old.allow", "p.allow").stdout


@test
def a_call_that_a_role_gets_back_is_wider():
    released = compare(LAYERS + KERNEL, LAYERS + KERNEL.split("role probe")[0])
    contains(released, "system calls wider +1 · guards -1\n")
    contains(released, "role probe; no longer denies some of personality")
    denied = compare(LAYERS + KERNEL.split("role probe")[0], LAYERS + KERNEL)
    contains(denied, "system calls narrower -1 · guards +1\n")


@test
def a_capability_that_a_role_may_keep_is_wider():
    with_row = LAYERS + 'role gate {\n    forbid CAP_SYS_TIME  adr 0001  because "sets no clock"\n}\n'
    contains(compare(with_row, LAYERS), "capabilities wider +1")
    contains(compare(LAYERS, with_row), "capabilities narrower -1")
    both = LAYERS + 'forbid CAP_SYS_TIME  adr 0001  because "nobody does"\n'
    contains(compare(both + with_row[len(LAYERS):], both), "guards -1")
    equal("capabilities" in compare(both + with_row[len(LAYERS):], both), False)


@test
def a_saved_artifact_has_the_filters_of_roles():
    compiled(LAYERS + KERNEL, "--emit", "json")
    contains(allowc("diff", *QUIET, "generated/p.json", "p.allow").stdout, "equivalent\n")
    project(LAYERS + KERNEL.split("role probe")[0])
    contains(allowc("diff", *QUIET, "generated/p.json", "p.allow").stdout, "system calls wider +1")


@test
def the_gate_asks_for_an_adr_before_a_role_gets_a_call_back():
    project(LAYERS + KERNEL)
    Path("old.allow").write_text(LAYERS + KERNEL, encoding="utf-8")
    Path("p.allow").write_text(LAYERS + KERNEL.split("role probe")[0], encoding="utf-8")
    done = allowc("gate", "old.allow", "p.allow")
    equal(done.returncode, 1)
    contains(done.stdout, "gate: shut [forbid-lifted] OLD old.allow:15 syscall personality(persona == 0x20000)")


@test
def explain_says_which_role_refuses_a_call():
    project(LAYERS + KERNEL)
    contains(passes("explain", *QUIET, "p.allow", "syscall personality").stdout,
             "  role     probe: errno EPERM by forbid syscall personality(persona == 0x20000)  p.allow:15\n")  # fmt: skip
    contains(passes("explain", *QUIET, "p.allow", "docker", "run").stdout,
             "  role     gate: forbidden, forbid docker  p.allow:12\n")  # fmt: skip


@test
def filters_of_one_set_of_names_do_not_go_into_one_unit():
    """The role gate of p, and a policy p-gate; beside that of p either is fine."""
    suite.need("gcc")
    compiled(LAYERS + 'role gate {\n    forbid syscall acct  adr 0001  because "no"\n}\n', "--emit", "seccomp")
    Path("p-gate.allow").write_text('policy p-gate\ndecisions "adr"\n'
                                    'forbid syscall acct  adr 0001  because "no"\n', encoding="utf-8")  # fmt: skip
    passes(*QUIET, "--emit", "seccomp", "p-gate.allow")
    for headers, works in ((("p", "p.gate", "p.gate"), True), (("p-gate", "p"), True),
                           (("p.gate", "p-gate"), False), (("p-gate", "p.gate"), False)):  # fmt: skip
        text = "".join(f'#include "{header}.seccomp.h"\n' for header in headers)
        Path("use.c").write_text(text + "int main(void) { return 0; }\n", encoding="utf-8")
        done = suite.run(["gcc", "-fsyntax-only", "-Igenerated", "use.c"], expect=None, cwd=Path.cwd())
        equal(done.returncode == 0, works)
        if not works:
            contains(done.stderr, "which begin with P_GATE: include it in another unit")


tap.main()
