#!/usr/bin/env python3
"""Artifacts in the hands of those who use them: those of phase 7, and of the golden trees. In TAP."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import shlex
import shutil
import sys
from functools import partial
from pathlib import Path

import suite

USE = suite.ROOT / "tests" / "use"
PLUGIN = "distroless-migration--node--npm"
WARNINGS = ["-Wall", "-Wextra", "-pedantic", "-Wconversion", "-Wshadow", "-Werror"]
STANDARDS = ("c99", "c11", "c++11", "c++20")

# What LANGUAGE and the ADRs of the samples say, layer by layer.
ALLOWED = (
    "git", "node", "semgrep", "syft", "grype", "gitleaks", "scip-typescript", "ast-grep", "rg",
    "tree-sitter", "docker",
    "npm", "bwrap", "sandbox-exec", "jq",
    "dive", "docker buildx",
)  # fmt: skip
TOOLS = ["docker", "dive", "docker-buildx"]


def compiler(family: str, standard: str) -> list[str]:
    """gcc or clang, for C or C++, as the environment names them."""
    plus = standard.startswith("c++")
    if family == "clang":
        words = shlex.split(os.environ.get("CLANGXX", "clang++") if plus else os.environ.get("CLANG", "clang"))
    else:
        words = ["g++" if plus else "gcc"]
    suite.need(words[0])
    return [*words, *(["-x", "c++"] if plus else []), f"-std={standard}", *WARNINGS]


def headers(folder: Path, family: str, standard: str) -> None:
    """Included twice, from two units, in both orders; then the program asks them."""
    command = compiler(family, standard)
    with suite.scratch() as scratch:
        binary = scratch / "use"
        suite.run([*command, "-I", folder, USE / "header.c", USE / "other.c", "-o", binary])
        suite.run([binary])


def header_includes(folder: Path) -> None:
    lines = (folder / "phase7.h").read_text(encoding="utf-8").splitlines()
    suite.same("included", [line for line in lines if line.startswith("#include")], ["#include <string.h>"])


def same_filter(folder: Path) -> None:
    with suite.scratch() as scratch:
        binary, dump = scratch / "dump", scratch / "dump.bpf"
        suite.run([*compiler("gcc", "c11"), "-I", folder, USE / "dump.c", "-o", binary])
        suite.run(["sh", "-c", f"{shlex.quote(str(binary))} > {shlex.quote(str(dump))}"])
        if dump.read_bytes() != (folder / "phase7.bpf").read_bytes():
            suite.fail("phase7.seccomp.h and phase7.bpf hold different instructions")


def python(folder: Path, script: str) -> str:
    """Runs a script, away from other people's packages, with the module on its path."""
    start = f"import sys; sys.path.insert(0, {str(folder)!r}); sys.dont_write_bytecode = True\n"
    return suite.run([sys.executable, "-I", "-S", "-c", start + script]).stdout


def module_names(folder: Path) -> None:
    found = python(folder, "import phase7, json; print(json.dumps(sorted(phase7.ALLOWED_BINARIES)))")
    suite.same("ALLOWED_BINARIES", json.loads(found), sorted(ALLOWED))
    kind = python(folder, "import phase7; print(type(phase7.ALLOWED_BINARIES).__name__)")
    suite.same("its type", kind, "frozenset\n")
    forbidden = python(folder, "import phase7; print(*phase7.FORBIDDEN_BINARIES)")
    suite.same("FORBIDDEN_BINARIES", forbidden, "strace\n")


def module_matches(folder: Path) -> None:
    script = "import phase7; print(phase7.match(['docker', 'buildx', 'build'])[1], phase7.match(['bash'])[1])"
    suite.same("match", python(folder, script), "docker buildx None\n")


def module_tools(folder: Path) -> None:
    found = python(folder, f"import phase7; print(phase7.EXTERNAL_TOOLS[{PLUGIN!r}])")
    suite.same("EXTERNAL_TOOLS", ast.literal_eval(found), tuple(TOOLS))


def module_is_light(folder: Path) -> None:
    """No `typing` at run time: it costs more than all the rest."""
    loaded = python(folder, "import phase7; print('typing' in sys.modules, 'collections.abc' in sys.modules)")
    suite.same("typing loaded", loaded.split()[0], "False")


def module_is_old_python(folder: Path) -> None:
    ast.parse((folder / "phase7.py").read_text(encoding="utf-8"), feature_version=(3, 8))


def modules_are_typed(folder: Path, trees: list[Path]) -> None:
    """By one run over all, each under its case's name: most are called p.py."""
    suite.need("mypy")
    modules = [folder / "phase7.py", *(module for tree in trees for module in sorted(tree.glob("*.py")))]
    with suite.scratch() as scratch:
        for module in modules:
            name = re.sub(r"\W", "_", f"{module.parent.parent.name}_{module.stem}")
            shutil.copy(module, scratch / f"{name}.py")
        copies = sorted(scratch.glob("*.py"))
        suite.same("modules", len(copies), len(modules))
        suite.run(["mypy", "--strict", "--cache-dir", scratch / "cache", *copies], cwd=scratch)


def manifest(folder: Path) -> None:
    try:
        import yaml
    except ImportError:
        raise suite.Skip("python3-yaml is not installed") from None
    path = folder / "plugins" / PLUGIN / "plugin.yaml"
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    suite.same("name", data["name"], PLUGIN)
    suite.same("external_tools", data["requirements"]["external_tools"], TOOLS)


def names(folder: Path) -> None:
    lines = (folder / "phase7.names").read_text(encoding="utf-8").splitlines()
    text = [line for line in lines if not line.startswith("#")]
    suite.same("the number of names", len(text), len(ALLOWED))


def policy_json(folder: Path) -> None:
    data = json.loads((folder / "phase7.json").read_text(encoding="utf-8"))
    suite.same("schema", data["schema"], 2)
    suite.same("dropCapabilities", data["dropCapabilities"], ["CAP_SYS_PTRACE"])


def sums(folder: Path) -> None:
    """Every artifact is listed, in order, with its hash: as sha256sum reads it."""
    suite.need("sha256sum")
    suite.run(["sha256sum", "--check", "--strict", "--quiet", "phase7.sha256"], cwd=folder)
    listed = [line.split("  ", 1) for line in (folder / "phase7.sha256").read_text().splitlines()]
    there = {path: hashlib.sha256(data).hexdigest() for path, data in suite.tree(folder).items()}
    del there["phase7.sha256"]
    suite.same("the list", listed, [[there[path], path] for path in sorted(there)])


def load_yaml(path: Path) -> dict[str, object]:
    try:
        import yaml
    except ImportError:
        raise suite.Skip("python3-yaml is not installed") from None
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def profile_actions(profile: dict[str, object]) -> tuple[tuple[str, int], dict[str, tuple[object, ...]]]:
    """
    The default, and what each name gets; without a number engines take EPERM, which is 1. A name with arguments
    has a rule for each condition: those in their order.
    """

    def action(word: str, value: dict[str, object], key: str) -> tuple[str, int]:
        return (word, value.get(key, 1 if word == "SCMP_ACT_ERRNO" else 0))

    rules, conditional = {}, {}
    for rule in profile["syscalls"]:
        for name in rule["names"]:
            outcome = action(rule["action"], rule, "errnoRet")
            if name in rules or (name in conditional and not rule.get("args")):
                suite.fail(f"{name} stands in two rules")
            if rule.get("args"):
                conditional[name] = (*conditional.get(name, ()), (outcome, rule["args"]))
            else:
                rules[name] = outcome
    return action(profile["defaultAction"], profile, "defaultErrnoRet"), rules | conditional


def same_profiles(folder: Path) -> None:
    """A list of denials: the object for Kubernetes holds the profile for engines as it is."""
    profile = json.loads((folder / "phase7.seccomp.json").read_text(encoding="utf-8"))
    found = load_yaml(folder / "phase7.spo.yaml")
    suite.same("kind", (found["apiVersion"], found["kind"]),
               ("security-profiles-operator.x-k8s.io/v1beta1", "SeccompProfile"))
    suite.same("name", found["metadata"], {"name": "phase7"})
    suite.same("spec", found["spec"], profile)
    calls = ["kcmp", "pidfd_getfd", "process_madvise", "process_vm_readv", "process_vm_writev", "ptrace"]
    suite.same("actions", profile_actions(profile),
               (("SCMP_ACT_ALLOW", 0), {name: ("SCMP_ACT_ERRNO", 1) for name in calls}))


def equal_profiles(tree: Path) -> None:
    """Whatever the form cannot say is said by rules: each known call gets the same, in either byte order."""
    for path in sorted(tree.glob("*.spo.yaml")):
        equal_profile(path)


def equal_profile(path: Path) -> None:
    profile = json.loads(path.with_name(path.name.replace(".spo.yaml", ".seccomp.json")).read_text(encoding="utf-8"))
    spec = load_yaml(path)["spec"]
    (default, rules), (other_default, other_rules) = profile_actions(profile), profile_actions(spec)
    suite.same("architectures", spec["architectures"], profile["architectures"])
    suite.same("word of the default", other_default[0], default[0])
    for name in sorted(rules.keys() | other_rules.keys()):
        outcome, other = rules.get(name, default), other_rules.get(name, other_default)
        if name in ("ipc", "socketcall") and other == ("SCMP_ACT_ERRNO", 38):
            outcome = (outcome[0], 38)  # a rule that said the default's EPERM would be passed over, and they opened
        suite.same(name, other, outcome)


def marked_as_generated(folder: Path) -> None:
    """Every format with comments says from which policy it comes, by its base name."""
    formats = (".h", ".py", ".yaml", ".txt")
    files = {path: data for path, data in suite.tree(folder).items() if path.endswith(formats)}
    suite.same("files with comments", len(files), 6)
    bare = [path for path, data in files.items() if b"Generated by allowc from phase7.allow" not in data[:4096]]
    suite.same("files without the mark", bare, [])


def golden_tree(tree: Path) -> None:
    """The headers of a golden case compile and its module is old Python: an empty policy's too, and hostile text."""
    headers = sorted(path.name for path in tree.glob("*.h"))
    with suite.scratch() as scratch:
        unit = scratch / "unit.c"
        unit.write_text("".join(f'#include "{name}"\n' for name in headers), encoding="utf-8")
        for family in ("gcc", "clang"):
            for standard in ("c99", "c++11"):
                suite.run([*compiler(family, standard), "-fsyntax-only", "-I", tree, unit])
    (module,) = tree.glob("*.py")
    ast.parse(module.read_text(encoding="utf-8"), feature_version=(3, 8))


def modules_please_linters(folder: Path, trees: list[Path]) -> None:
    """As `make lint-python` asks of our own, and more: no warning, nothing unused, and no line that a formatter would
    change. ruff, of which NAME.py says that it leaves it alone, Debian does not have; black lays out the same."""
    suite.need("pyflakes3", "black")
    modules = [folder / "phase7.py", *(module for tree in trees for module in sorted(tree.glob("*.py")))]
    with suite.scratch() as cache:
        for words, place in (([sys.executable, "-W", "error", "-m", "py_compile"], "PYTHONPYCACHEPREFIX"),
                             (["pyflakes3"], "PYTHONDONTWRITEBYTECODE"),
                             (["black", "--quiet", "--check", "--diff", "--line-length", "88"], "BLACK_CACHE_DIR")):
            done = suite.run([*words, *modules], environment=suite.ENVIRONMENT | {place: str(cache)})
            suite.same(f"what {words[0]} says", done.stdout + done.stderr, "")


def main() -> int:
    with suite.scratch() as folder:
        try:
            suite.compile_policy("policies/phase7.allow", folder, "--emit", "all")
        except AssertionError as failure:
            print(f"Bail out! phase7 does not compile: {str(failure).splitlines()[0]}")
            print(failure, file=sys.stderr)
            return 1
        tests = [
            (f"{family} takes the headers as {standard}", partial(headers, folder, family, standard))
            for family in ("gcc", "clang")
            for standard in STANDARDS
        ]
        checks = (header_includes, same_filter, module_names, module_matches, module_tools, module_is_light,
                  module_is_old_python, manifest, names, policy_json, sums,
                  marked_as_generated, same_profiles)  # fmt: skip
        tests += [(check.__name__.replace("_", " "), partial(check, folder)) for check in checks]
        trees = sorted((suite.ROOT / "tests" / "golden").glob("tree-*/expect"))
        tests.append(("modules are typed", partial(modules_are_typed, folder, trees)))
        tests.append(("modules please linters and formatters", partial(modules_please_linters, folder, trees)))
        tests += [(f"{tree.parent.name}: headers and module", partial(golden_tree, tree)) for tree in trees]
        tests += [(f"{tree.parent.name}: profiles", partial(equal_profiles, tree)) for tree in trees]
        return suite.main(tests)


if __name__ == "__main__":
    sys.exit(main())
