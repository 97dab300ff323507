#!/usr/bin/env python3
"""allowc diff with artifacts that --emit json wrote: as true as the policy's text, or refused."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import allowc, contains, decided, equal, needs, passes, test  # noqa: E402

POLICY = """policy p
title "Tools"
decisions "adr" accept "Active"

allow docker  adr 1  because "builds"
allow "docker buildx"  adr 1  because "builds more" {
    requires docker >= 20.10
    as docker-buildx
}
allow git  adr 1  because "clones"  until 2027-01-01
forbid strace  adr 1  because "tracing is the host's" {
    needs CAP_SYS_PTRACE
    instead "the host's view"
}
forbid CAP_SYS_PTRACE  adr 1  because "no role has it"
forbid syscall socket(domain == AF_ALG)  adr 1  because "no sockets of the kernel's cryptography"

plugin a--b "plugin.yaml" {
    tools docker, "docker buildx"
}
role probe {
    forbid docker  adr 1  because "probes build nothing"
}
seccomp {
    deny-with errno ENOSYS
    hot read
}
expect forbidden strace
"""
NAMES = "`docker`, `docker buildx`, `git`, `dive`, `jq`, `strace`, `CAP_SYS_PTRACE`, `socket`, `CAP_BPF`, `kcmp`"
QUIET = ["-Wno-adr-status", "-Wno-adr-superseded", "-Wno-adr-unchecked", "-Wno-prefix-forbid",
         "-Wno-incomplete-group"]
SAVED = "not compared: layout, comments and outputs: {} a saved artifact\n"


def adr(number, status="Accepted", more=""):
    Path("adr").mkdir(exist_ok=True)
    Path(f"adr/{number:04}-tools.md").write_text(
        f"# {number}. Tools\n\nDate: 2026-05-0{number}\n\n## Status\n\n{status}\n\n## Decision\n\n{NAMES}\n{more}",
        encoding="utf-8")


def save(text=POLICY, name="old"):
    """NAME.allow, and the artifact of it as NAME.json."""
    for number in (1, 2):
        if not Path(f"adr/{number:04}-tools.md").exists():
            adr(number)
    Path(f"{name}.allow").write_text(text, encoding="utf-8")
    passes("--emit", "json", "-q", *QUIET, "-o", "o", f"{name}.allow")
    Path("o/p.json").rename(f"{name}.json")
    shutil.rmtree("o")


def edited(change):
    """What allowc says of the artifact after `change` to its data."""
    save()
    data = json.loads(Path("old.json").read_text(encoding="utf-8"))
    change(data)
    Path("edited.json").write_text(json.dumps(data), encoding="utf-8")
    return refused("edited.json")


def refused(path, *others):
    done = allowc("diff", path, *(others or ("old.allow",)))
    equal((done.stdout, done.returncode), ("", 2))
    return done.stderr.removeprefix(f"allowc: cannot read '{path}': ").rstrip("\n")


# ---- as true as the text ----


@test
def a_policy_and_what_was_saved_of_it_are_equivalent_in_each_golden_case():
    """All that the language can say is in the artifact."""
    compared = 0
    for case in sorted((suite.ROOT / "tests" / "golden").iterdir()):
        if not (case / "policy.allow").exists() or (case / "expect.code").exists():
            continue
        folder = Path(shutil.copytree(case, case.name, symlinks=True))
        written = subprocess.run([suite.ALLOWC, "--emit", "json", "-q", "-o", "o", "policy.allow"], cwd=folder,
                                 check=False, capture_output=True)
        if written.returncode:
            continue
        saved = str(next((folder / "o").glob("*.json")))
        done = allowc("diff", saved, str(folder / "policy.allow"))
        equal((done.stdout.splitlines()[0][-13:], done.stdout.count("\n"), done.returncode), ("   equivalent", 2, 0),
              f"{case.name}: {done.stdout}{done.stderr}")
        compared += 1
    equal(compared > 50, True, f"{compared} cases")


@test
def a_saved_side_says_what_the_text_says():
    """Old, new or both: the same verdict and the same lines, each with its place."""
    for text in (POLICY.replace('allow git  adr 1  because "clones"  until 2027-01-01\n', ""),
                 POLICY + 'allow dive  adr 1  because "looks"\nforbid CAP_BPF  adr 1  because "no"\n',
                 POLICY.replace("AF_ALG", "AF_NETLINK"), POLICY.replace("expect forbidden strace\n", ""),
                 POLICY.replace('accept "Active"', 'accept "Active", "Approved"'),
                 POLICY.replace("tools docker, ", "tools "), POLICY.replace('"plugin.yaml"', '"other.yaml"'),
                 POLICY.replace("forbid docker  adr 1", 'forbid "docker buildx"  adr 1'),
                 POLICY.replace("hot read", "hot write"), POLICY.replace("ENOSYS", "EACCES"),
                 POLICY.replace("20.10", "21"), POLICY.replace('"Tools"', '"Other tools"'),
                 POLICY.replace("2027", "2028"), POLICY.replace("the host's view", "no way")):
        save()
        save(text, "new")
        plain = decided(allowc("diff", "old.allow", "new.allow"))
        equal((plain.stderr, plain.returncode), ("", 1))
        rest = plain.stdout.partition("   ")[2]
        for old, new, which in (("json", "allow", "OLD is"), ("allow", "json", "NEW is"), ("json", "json", "each side is")):
            done = allowc("diff", f"old.{old}", f"new.{new}")
            equal((done.stdout, done.stderr, done.returncode),
                  (f"old.{old} -> new.{new}   {rest}{SAVED.format(which)}", "", 1))


@test
def its_name_does_not_matter_and_standard_input_may_be_one():
    save()
    Path("old.json").rename("old.txt")
    equal(passes("diff", "old.txt", "old.allow").stdout,
          "old.txt -> old.allow   equivalent\n" + SAVED.format("OLD is"))
    with open("old.txt", encoding="utf-8") as file:
        done = subprocess.run([suite.ALLOWC, "diff", "-", "old.allow"], stdin=file, check=False, capture_output=True,
                              text=True)
    equal(done.stdout, "- -> old.allow   equivalent\n" + SAVED.format("OLD is"))
    shutil.copy("old.allow", "policy.json")
    equal(passes("diff", "policy.json", "old.allow").stdout, "policy.json -> old.allow   equivalent\n")


@test
@needs("git")
def a_revision_may_hold_one():
    save()
    git = ["git", "-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]
    environment = {"PATH": os.environ["PATH"], "HOME": os.getcwd(), "GIT_CONFIG_NOSYSTEM": "1"}
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "c"]):
        subprocess.run([*git, *words], env=environment, check=True)
    Path("old.json").unlink()
    equal(passes("diff", "main:old.json", "old.allow").stdout, "main -> old.allow   equivalent\n" + SAVED.format("OLD is"))


# ---- ADRs ----


@test
def an_adr_that_changed_since_is_seen_by_its_status_and_by_its_hash():
    save()
    adr(1, more="Amended.\n")
    equal(allowc("diff", "old.json", "old.allow").stdout,
          "old.json -> old.allow   equivalent · ADRs: 1 amended\n"
          'p/0001 "Tools"  accepted 2026-05-01, amended\n' + SAVED.format("OLD is"))
    adr(1, "Superseded by [0002](0002-tools.md)")
    out = allowc("diff", "old.json", "old.allow").stdout
    contains(out, "ADRs: 1 superseded\n")
    contains(out, "  ! docker                            old.allow:5   still cites 0001; 0002 names it\n")
    save(name="new")
    adr(1)
    save()
    out = allowc("diff", "old.json", "new.json").stdout
    contains(out, 'p/0001 "Tools"  accepted -> superseded by p/0002 (not saved)\n')
    contains(out, "  ! docker                            new.allow:5   still cites 0001\n")


@test
def an_adr_that_a_saved_side_does_not_cite_is_not_known_there():
    save()
    save(POLICY + 'allow dive  adr 2  because "looks"\n', "new")
    equal(allowc("diff", "old.json", "new.allow").stdout,
          'old.json -> new.allow   commands wider +1\np/0002 "Tools"  accepted 2026-05-02\n'
          "  + allow  dive  new.allow:29\nnot compared: layout, comments and outputs, and in OLD p/0002: OLD is a saved artifact\n")
    data = json.loads(allowc("diff", "--format", "json", "old.json", "new.allow").stdout)
    equal((data["adrs"][0]["old_status"], data["not_compared"]),
          ("not saved", "layout, comments and outputs, and in OLD p/0002: OLD is a saved artifact"))
    contains(allowc("diff", "--format", "markdown", "old.json", "new.allow").stdout,
             "\nNot compared: layout, comments and outputs, and in OLD p/0002\\: OLD is a saved artifact\\.\n")


@test
def a_policy_without_decisions_was_checked_against_no_folder():
    save(POLICY.replace('decisions "adr" accept "Active"\n', ""))
    out = allowc("diff", "old.json", "old.allow").stdout
    equal(out, "old.json -> old.allow   equivalent\n" + SAVED.format("OLD is"))


# ---- what is no artifact ----


@test
def text_that_is_no_json():
    save()
    for text, wanted in (
        ('{"schema": 2,', "line 1, column 13: string or '}' expected near end of file"),
        ('{"schema": 2, "schema": 2}', "line 1, column 22: duplicate object key near '\"schema\"'"),
        ('{"schema": 2}\n{}', "line 2, column 1: end of file expected near '{'"),
        ('{"schema": NaN}', "line 1, column 14: invalid token near 'NaN'"),
        ('{"schema": "\\u0000"}', None),
        ('{"a": ' + "[" * 100_000, "line 1, column 2054: maximum parsing depth reached near '['"),
        ('{"schema": 99999999999999999999}', "line 1, column 31: too big integer near '99999999999999999999'"),
        ("{}", "it is JSON, and nothing that --emit json wrote"),
        ('{"schema": "2", "policy": "p"}', "it is JSON, and nothing that --emit json wrote"),
        ('{"schema": 1, "policy": "p"}',
         "it has schema 1, which lacks what a comparison needs; write it again with --emit json"),
        ('{"schema": 3, "policy": "p"}', "it has schema 3, and this allowc knows 2"),
        ('{"schema": 2, "policy": "p"}', 'it has no "file"'),
    ):
        Path("bad.json").write_text(text, encoding="utf-8")
        said = refused("bad.json")
        equal(said, wanted or said)
    Path("bad.json").write_bytes(b'{"a": "\xff"}')
    contains(refused("bad.json"), "unable to decode byte 0xff")
    equal(refused("old.allow", "bad.json").count("cannot read 'bad.json'"), 1)


def change_rows(**members):
    return lambda data: data["rows"][0].update(members)


def base(*calls):
    place = {"layer": "p", "file": "old.allow", "line": 28}
    return lambda data: data["seccomp"].update(base={"group": "few", **place, "calls": calls})


@test
def values_that_no_artifact_has():
    for change, wanted in (
        (lambda d: d.update(rows={}), "rows: it is not a list"),
        (lambda d: d.update(policy=1), "it is JSON, and nothing that --emit json wrote"),
        (lambda d: d.pop("expectations"), 'it has no "expectations"'),
        (lambda d: d.update(edition=2), "edition: it is 2, and this allowc knows 1"),
        (lambda d: d.update(layers=[]), "layers: a policy has a layer"),
        (lambda d: d["layers"].append(d["layers"][0]), "layers[1]: 'p' stands twice"),
        (lambda d: d["rows"].insert(1, 7), "rows[1]: it is not an object"),
        (change_rows(verb="alow"), "rows[0].verb: 'alow' is no verb"),
        (change_rows(verb="revoke"), "rows[0]: a revoke is not in force"),
        (change_rows(verb="decline", kind="capability", subject="CAP_BPF"), "rows[0]: 'decline' has no such subject"),
        (change_rows(kind="program"), "rows[0].kind: 'program' is no kind of subject"),
        (change_rows(subject="../docker"), "rows[0].subject: '../docker' is no command"),
        (change_rows(subject="docker  run"), "rows[0].subject: 'docker  run' is no command"),
        (change_rows(subject="git"), "rows: 'git' stands twice"),
        (change_rows(layer="q"), "rows[0].layer: there is no layer 'q'"),
        (change_rows(line=0), "rows[0].line: lines are counted from 1"),
        (change_rows(line=-1), "rows[0].line: it is not a number from 0 to 16777216"),
        (change_rows(line=1 << 40), "rows[0].line: it is not a number from 0 to 16777216"),
        (change_rows(line=1.5), "rows[0].line: it is not a whole number"),
        (change_rows(adr=[]), "rows[0].adr: a row cites an ADR"),
        (change_rows(adr=[1]), "rows[0].adr[0]: it is not a text"),
        (change_rows(until="2026-02-30"), "rows[0].until: '2026-02-30' is no date"),
        (change_rows(platforms=["beos"]), "rows[0].platforms: 'beos' is no platform"),
        (change_rows(action="errno EWHAT"), "rows[0].action: 'errno EWHAT' is nothing that a call can get"),
        (change_rows(action="errno 4096"), "rows[0].action: 'errno 4096' is nothing that a call can get"),
        (change_rows(needs=[{"syscalls": ["what"]}]),
         "rows[0].needs[0].syscalls: 'what' is no system call as allowc writes it"),
        (change_rows(needs=[{"syscalls": ["read, write"]}]),
         "rows[0].needs[0].syscalls: 'read, write' is no system call as allowc writes it"),
        (change_rows(needs=[{"syscalls": ["read } syscalls @d { write"]}]),
         "rows[0].needs[0].syscalls: 'read } syscalls @d { write' is no system call as allowc writes it"),
        (change_rows(needs=[{"syscalls": ["socket(domain==AF_ALG)"]}]),
         "rows[0].needs[0].syscalls: 'socket(domain==AF_ALG)' is no system call as allowc writes it"),
        (change_rows(needs=[{"capability": "CAP_X", "syscalls": []}]), "rows[0].needs[0]: 'CAP_X' is no capability"),
        (change_rows(needs=[{"capability": "CAP_SYS_PTRACE", "syscalls": ["kcmp"]}]),
         "rows[0].needs[0].syscalls: CAP_SYS_PTRACE brings other system calls"),
        (lambda d: d["decisions"][0].update(status="fine"), "decisions[0].status: 'fine' is no status"),
        (lambda d: d["decisions"][0].pop("sha256"), 'decisions[0]: it has no "sha256"'),
        (lambda d: d["expectations"][0].update(kind="hoped"), "expectations[0].kind: 'hoped' is no kind of expectation"),
        (lambda d: d["plugins"][0]["tools"][0].update(command="jq"), "plugins[0].tools[0]: no row allows 'jq'"),
        (lambda d: d["plugins"][0]["tools"][0].update(spelling="d"),
         "plugins[0].tools[0]: 'docker' is spelled 'docker' in its row"),
        (lambda d: d["plugins"].append(d["plugins"][0]), "plugins[1]: 'a--b' stands twice"),
        (lambda d: d["seccomp"].update(abis=["vax"]), "seccomp.abis: 'vax' is no ABI"),
        (lambda d: d["seccomp"].update(abis=[]), "seccomp.abis: a filter is for some ABI"),
        (lambda d: d["rows"][5].update(subject="kcmp"), "rows[5].subject: 'kcmp' is not the call that it names"),
        (lambda d: d["rows"][4].update(subject="CAP_X"), "rows[4].subject: 'CAP_X' is no capability"),
        (lambda d: d["decisions"].append(d["decisions"][0]), "decisions[1]: 'p/0001' stands twice"),
        (base("write", "read"), "seccomp.base.calls: it is not sorted"),
        (lambda d: d["rows"].insert(0, {**d["rows"][5], "verb": "allow", "line": 6}),
         "seccomp.denied: the rows say what no policy can say of system calls"),
    ):
        equal(edited(change), wanted)


@test
def half_of_an_edit():
    """What follows from the rows is in the artifact too, and no longer fits."""
    for change, wanted in (
        (lambda d: d["rows"].pop(0), "plugins[0].tools[0]: no row allows 'docker'"),
        (lambda d: d["rows"].pop(2), "counts.allowed: it is 3, and the rows make 2"),
        (change_rows(verb="forbid"), "plugins[0].tools[0]: no row allows 'docker'"),
        (lambda d: d["rows"][4].update(subject="CAP_BPF"), "dropCapabilities: it is not what the rows forbid: CAP_BPF"),
        (lambda d: d["rows"].pop(4), "dropCapabilities: it is more than the rows forbid"),
        (lambda d: d["rows"].pop(5), "seccomp.denied: there are 7, and the rows make 6"),
        (lambda d: d["seccomp"]["denied"].pop(), "seccomp.denied: it lacks 'socket', which the rows make"),
        (lambda d: d["seccomp"].update(denyWith="kill"), "seccomp.denied[0]: the rows give 'kcmp' another action"),
        (lambda d: d["rows"][3].pop("needs"), "seccomp.denied[0].causes: there are 2, and the rows make 1"),
    ):
        equal(edited(change), wanted)


@test
def members_that_a_later_version_adds_are_no_mistake():
    save()
    data = json.loads(Path("old.json").read_text(encoding="utf-8"))
    data["later"] = data["rows"][0]["later"] = data["seccomp"]["later"] = {"a": [1.5, None, True]}
    Path("later.json").write_text(json.dumps(data, indent=1), encoding="utf-8")
    equal(passes("diff", "later.json", "old.allow").stdout,
          "later.json -> old.allow   equivalent\n" + SAVED.format("OLD is"))


@test
def one_that_was_edited_where_allowc_wrote_it():
    """NAME.sha256 beside it has its hash."""
    save()
    passes("--emit", "json", "-q", "-o", "o", "old.allow")
    passes("diff", "o/p.json", "old.allow")
    path = Path("o/p.json")
    path.write_text(path.read_text(encoding="utf-8").replace("clones", "fetches"), encoding="utf-8")
    equal(refused("o/p.json"), "it was edited, 'o/p.sha256' has another hash of it")
    path.rename("o/other.json")
    contains(allowc("diff", "o/other.json", "old.allow").stdout, 'because "clones"')


if __name__ == "__main__":
    tap.main()
