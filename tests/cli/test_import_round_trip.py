#!/usr/bin/env python3
"""What allowc wrote of a policy, imported: the same commands, tools and system calls are decided in the same way."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import allowc, equal, passes, test  # noqa: E402

QUIET = ("-Wno-adr-unchecked", "-Wno-adr-missing", "-Wno-adr-scope", "-Wno-reason", "-Wno-incomplete-group",
         "-Wno-oci-replaces-default", "-Wno-kernel-name", "-Wno-prefix-forbid")  # fmt: skip
ROW = re.compile(r"^((?:allow|forbid|decline) .*?)  adr (\S+)((?:  (?:because|with|path) .*)?)$", re.MULTILINE)


def row_filled(match):
    """One decision for all that is open; a reason where a row must have one and none was found."""
    row, adr, rest = match.groups()
    reason = "" if row.startswith("allow") or "because" in rest else '  because "decided"'
    return f"{row}  adr {'0001' if adr == '?' else adr}{reason}{rest}"


def filled(policy):
    return ROW.sub(row_filled, re.sub(r"^policy \S+$", "policy p", policy, flags=re.MULTILINE))


def lines(policy, *options):
    return passes("list", *QUIET, *options, policy).stdout


def artifacts(policy, folder):
    passes("-q", *QUIET, "--emit", "python,plugin-yaml,oci-seccomp,names", "-o", folder, policy)
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(Path(folder).rglob("*")) if path.is_file()}


def items(manifest):
    """The lists of a manifest, with their names: what stands around them is people's."""
    return re.findall(rb"^ +(?:- .*|\w+:.*)$", manifest, re.MULTILINE)


def comes_back(policy):
    """The policy of all that was written: allowed, forbidden and declined commands, tools, profiles."""
    old = artifacts(policy, "old")
    manifests = [f"old/{name}" for name in old if name.endswith("plugin.yaml")]
    symbols = ("--symbol", "ALLOWED_BINARIES", "--symbol", "FORBIDDEN_BINARIES")
    module = next(f"old/{name}" for name in old if name.endswith(".py"))
    profile = next(f"old/{name}" for name in old if name.endswith(".seccomp.json"))
    done = allowc("import", *symbols, module, *manifests, profile)
    equal((done.returncode, "conflict" in done.stderr), (0, False), done.stderr)
    Path("p.allow").write_text(filled(done.stdout), encoding="utf-8")
    equal(lines("p.allow"), lines(policy))
    equal(lines("p.allow", "--forbidden"), lines(policy, "--forbidden"))
    new = artifacts("p.allow", "new")
    for name, content in old.items():
        if name.endswith("plugin.yaml"):
            equal(items(new[name]), items(content), name)
        elif name.endswith(".seccomp.json"):
            equal(new["p.seccomp.json"], content, name)
        elif name.endswith(".names"):
            equal(new["p.names"], content, name)
    return done


@test
def the_sample():
    comes_back(str(suite.ROOT / "policies" / "phase7.allow"))


@test
def hard_names_and_reasons():
    # Names that YAML takes for something else, quotes in reasons, sub-commands, and calls refused in several ways.
    Path("s.allow").write_text(
        r"""policy s
allow git, yes, "[", "7z", node, npm, "docker", "docker buildx", "go vet"  adr 0001  because "used"
allow "git lfs"  adr 0002  because "large files"
forbid strace  adr 0001  because "says \"no\", and 'never' \\ \u{e9}"
forbid "git push"  adr 0001  because "pushes"
plugin one { tools "docker buildx", yes, "["; optional "go vet", git }
plugin two { tools "7z" }
seccomp { default errno EPERM; abi x86_64, aarch64 }
syscalls @io { read, write, openat, seccomp }
allow syscall @io, personality(persona == 8)  adr 0001  because "r"
forbid syscall ptrace  adr 0001  because "r"  with kill
""",
        encoding="utf-8",
    )
    comes_back("s.allow")
    tools = lines("p.allow", "--plugin", "one", "--as")
    equal(tools, lines("s.allow", "--plugin", "one", "--as"))


@test
def a_deny_list_with_needs():
    Path("s.allow").write_text(
        """policy s
allow git  adr 0001  because "used"
forbid strace  adr 0001  because "traces" { needs CAP_SYS_PTRACE }
forbid CAP_SYS_ADMIN  adr 0001  because "mounts"
seccomp { abi x86_64 }
""",
        encoding="utf-8",
    )
    comes_back("s.allow")


if __name__ == "__main__":
    tap.main()
