#!/usr/bin/env python3
"""Each sentence by which backends/strength_sentence.c says how a row holds has a trial, here or in another file.

The sentences are read from that file: a new one without a trial fails. Answers in TAP.
"""

from __future__ import annotations

import os
import re
import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
from strength_trials import QUIET, Trials  # noqa: E402

SENTENCES = suite.ROOT / "backends" / "strength_sentence.c"
CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = "1", "2"  # linux/capability.h
ROW = 'adr 1  because "a trial"'
# In place of docker: it says its arguments.
DOCKER = '#!/bin/sh\necho "docker $*"\n'


def sentences() -> set[str]:
    """Every literal of more than a word, put together where it goes on in the next line."""
    text = re.sub(r'"\s*\n\s*"', "", SENTENCES.read_text(encoding="utf-8"))
    text = re.sub(r"/\*[^*]*\*/|#include[^\n]*", "", text)
    return {literal for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', text) if " " in literal}


def module_says(trials: Trials, name: str, expression: str) -> str:
    """What an expression over the generated module of a policy gives, which is called m."""
    environment = suite.ENVIRONMENT | {"PYTHONPATH": str(trials.folder), "PYTHONDONTWRITEBYTECODE": "1"}
    code = f"import {name} as m; print({expression})"
    return suite.run([sys.executable, "-c", code], environment=environment).stdout.strip()


def policy(trials: Trials, name: str, text: str, emit: str) -> None:
    path = trials.folder / f"{name}.allow"
    path.write_text(f"policy {name}\n{text}", encoding="utf-8")
    suite.compile_policy(path, trials.folder, "--emit", emit, "-Wno-prefix-forbid", "-Wno-launcher", *QUIET)


# ---- callers that ask ----

COMMANDS = f"""allow docker, dive  {ROW}
forbid "docker run"  {ROW}
forbid strace  {ROW}
decline jq  {ROW}
forbid CAP_SYSLOG  {ROW}
role probe {{
    forbid dive  {ROW}
}}
plugin scan {{
    tools docker
    forbid dive  {ROW}
}}
"""


def commands(trials: Trials) -> None:
    policy(trials, "asked", COMMANDS, "python,names,c-header,bpf")


def options_defeat_a_longer_forbid(trials: Trials) -> None:
    """Of `docker run` both the words and an option before them are asked; docker itself is started directly."""
    commands(trials)
    verdict = "[m.match(words.split())[0] for words in ('docker run x', 'docker --debug run x', 'docker')]"
    suite.same("the module", module_says(trials, "asked", verdict), "['forbidden', 'allowed', 'allowed']")
    docker = trials.folder / "docker"
    docker.write_text(DOCKER, encoding="utf-8")
    docker.chmod(0o755)
    suite.same("a direct execve", trials.run("--", docker, "run", "x").stdout, "docker run x\n")


def who_asks_is_told(trials: Trials) -> None:
    """Of an allowed command yes, of a forbidden and of an unlisted one no; each starts by a direct execve."""
    commands(trials)
    verdict = "[m.match([name])[0] for name in ('docker', 'strace', 'true')]"
    suite.same("the module", module_says(trials, "asked", verdict), "['allowed', 'forbidden', 'unlisted']")
    suite.same("an unlisted one", trials.run("--", "true").returncode, 0)
    suite.need("strace")
    suite.same("a forbidden one", trials.run("--", "strace", "-V").returncode, 0)


def tables_hold_commands_of_the_layers(trials: Trials) -> None:
    """No capability, and what was declined is not allowed."""
    commands(trials)
    suite.same("forbidden", module_says(trials, "asked", "sorted(m.FORBIDDEN_BINARIES)"), "['docker run', 'strace']")
    suite.same("allowed", module_says(trials, "asked", "sorted(m.ALLOWED_BINARIES)"), "['dive', 'docker']")
    suite.same("the names", (trials.folder / "asked.names").read_text(encoding="utf-8").splitlines(), ["docker", "dive"])


def rows_of_a_plugin_are_not_in_it(trials: Trials) -> None:
    """Those of a role are, for who asks for the role."""
    commands(trials)
    suite.same("the module", module_says(trials, "asked", "m.match(['dive'])[0]"), "allowed")
    suite.same("its role", module_says(trials, "asked", "m.match_in('probe', ['dive'])[0]"), "forbidden")


# ---- filters ----


def strace_works(trials: Trials, name: str, *rows: str) -> None:
    suite.need("strace")
    path = trials.filter_of(name, *rows)
    if trials.run("--", "strace", "-o", os.devnull, "true").returncode != 0:
        raise suite.Impossible("strace cannot trace here at all")
    suite.same("strace", trials.run("-f", path, "--", "strace", "-o", os.devnull, "true").returncode, 0)


def row_that_denies_no_call(trials: Trials) -> None:
    """Of programs that rows allow or forbid without `needs` a filter knows nothing."""
    strace_works(trials, "bare", "forbid strace", "allow true")


def row_of_another_platform_denies_nothing(trials: Trials) -> None:
    path = trials.folder / "elsewhere.allow"
    path.write_text(f"policy elsewhere\nforbid syscall ptrace  {ROW}  on macos\n", encoding="utf-8")
    suite.compile_policy(path, trials.folder, "--emit", "bpf", "-Wno-platform", *QUIET)
    suite.need("strace")
    done = trials.run("-f", trials.folder / "elsewhere.bpf", "--", "strace", "-o", os.devnull, "true")
    suite.same("strace", done.returncode, 0)


def capability_that_no_call_tells(trials: Trials) -> None:
    """CAP_DAC_OVERRIDE works under the filter that is all it can do; dropped, it does not."""
    if os.geteuid() != 0:
        raise suite.Skip("not root")
    suite.need("setpriv")
    closed = trials.folder / "closed"
    closed.write_text("text", encoding="utf-8")
    os.chown(closed, 65534, 65534)
    closed.chmod(0)
    path = trials.filter_of("override", "forbid CAP_DAC_OVERRIDE", "forbid CAP_DAC_READ_SEARCH")
    suite.same("the claim", trials.claim("override")[0], "none")
    read = ["--", "cat", closed]
    suite.same("under the filter", trials.run("-f", path, *read).returncode, 0)
    # strength.c drops one, and then another of itself the second.
    dropped = trials.run("-d", CAP_DAC_OVERRIDE, "--", trials.binary, "-d", CAP_DAC_READ_SEARCH, "-f", path, *read)
    suite.same("dropped", (dropped.returncode, "Permission denied" in dropped.stderr), (1, True))


def call_that_is_allowed_already(trials: Trials) -> None:
    """Of a group that a row allows, calls that pass anyway still pass."""
    path = trials.folder / "open.allow"
    path.write_text(f"policy open\nseccomp {{\n    base @all\n}}\nsyscalls @all {{\n    {', '.join(calls())}\n}}\n"
                    f"allow syscall ptrace  {ROW}\n", encoding="utf-8")  # fmt: skip
    suite.compile_policy(path, trials.folder, "--emit", "bpf", *QUIET)
    suite.same("true", trials.run("-f", trials.folder / "open.bpf", "--", "true").returncode, 0)
    suite.need("strace")
    traced = trials.run("-f", trials.folder / "open.bpf", "--", "strace", "-o", os.devnull, "true")
    suite.same("strace, which a row lets pass", traced.returncode, 0)
    suite.same("mkdir, which nothing lists", trials.run("-f", trials.folder / "open.bpf", "--", "mkdir",
               trials.folder / "unlisted").returncode, 1)  # fmt: skip


def calls() -> list[str]:
    """What container engines let pass, less what makes folders, and ptrace."""
    lines = (suite.ROOT / "compiler" / "data" / "engines.tsv").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("#") and line not in ("mkdir", "mkdirat", "ptrace")]


# ---- the whole ----

STRENGTH = "test_strength.py"
ENGINES = "test_engines.py"
TRIALS = {
    function.__name__: function
    for function in (options_defeat_a_longer_forbid, who_asks_is_told, tables_hold_commands_of_the_layers,
                     rows_of_a_plugin_are_not_in_it, row_that_denies_no_call, row_of_another_platform_denies_nothing,
                     capability_that_no_call_tells, call_that_is_allowed_already)
}  # fmt: skip
# By the words that stand in the file. A value is a trial of this file, or the file that has it.
TRIED = {
    " with some arguments": "test_arguments.py",
    "%s is refused%s": STRENGTH,
    "%s and %zu more call%s are refused%s": STRENGTH,
    "a filter sees numbers, never a program: it starts, if somebody starts it": STRENGTH,
    "a filter sees numbers, never a program: it does nothing for a row that allows one": "row_that_denies_no_call",
    "the row denies no system call: the program starts and works": "row_that_denies_no_call",
    "no system call tells that the capability is used: it holds where the capability is dropped":
        "capability_that_no_call_tells",
    "what it names passes anyway, or is of no ABI that the policy names": "call_that_is_allowed_already",
    "no system call is refused on its account": "row_of_another_platform_denies_nothing",
    "the kernel lets it pass, and refuses what nothing lists": "call_that_is_allowed_already",
    "%s, whoever makes the call": STRENGTH,
    "%s, but %s": STRENGTH,
    "%s; what else it gives stays until the capability is dropped": STRENGTH,
    "%s: the program starts, and what needs them fails": STRENGTH,
    "callers that ask are told that it is not allowed; a direct execve still starts it": "who_asks_is_told",
    "it holds commands alone": "tables_hold_commands_of_the_layers",
    "it does not hold the rows of plugins": "rows_of_a_plugin_are_not_in_it",
    "a declined command is not in it": "tables_hold_commands_of_the_layers",
    "callers that ask are told yes; who does not ask is not stopped either way": "who_asks_is_told",
    "callers that ask are told no; a direct execve still starts it": "who_asks_is_told",
    "callers that ask with all its words are told no; %s": "options_defeat_a_longer_forbid",
    "options before the sub-command defeat it, and a direct execve": "options_defeat_a_longer_forbid",
    "%s; it takes the place of the engine's own profile": ENGINES,
    "no manifest that is written lists it": STRENGTH,
    "a manifest lists it; nothing but its readers holds to that": STRENGTH,
    "it is listed; nothing but the list's readers holds to that": STRENGTH,
    "it is not listed; nothing but the list's readers holds to that": STRENGTH,
    "a page that says so; nothing holds to it": STRENGTH,
}  # fmt: skip


def every_sentence_is_tried() -> None:
    suite.same("sentences without a trial", sorted(sentences() - set(TRIED)), [])
    suite.same("trials of no sentence", sorted(set(TRIED) - sentences()), [])
    here = {trial for trial in TRIED.values() if not trial.endswith(".py")}
    suite.same("trials that are missing", sorted(here - set(TRIALS)), [])
    files = {trial for trial in TRIED.values() if trial.endswith(".py")}
    suite.same("files that are missing", [name for name in sorted(files) if not (Path(__file__).parent / name).exists()], [])


def main() -> int:
    with suite.scratch() as folder:
        trials = Trials(folder)
        tests = [(name.replace("_", " "), partial(trial, trials)) for name, trial in TRIALS.items()]
        return suite.main([*tests, ("every sentence has a trial", every_sentence_is_tried)])


if __name__ == "__main__":
    sys.exit(main())
