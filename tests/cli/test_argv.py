#!/usr/bin/env python3
"""One table of argument vectors, asked of all that decide: C, Python, explain and expect agree. In TAP."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import shlex
import subprocess
import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402

FOLDER = suite.ROOT / "tests" / "data" / "argv"
QUIET = ["-Wno-adr-unchecked", "-Wno-prefix-forbid", "-Wno-launcher", "-Wno-covered", "-Wno-spelling-twin"]
VERDICTS = ("allowed", "forbidden", "unlisted")
# A command that a policy can write: the rest is for callers alone.
PROGRAM = re.compile(r"\[|[A-Za-z0-9_.+][A-Za-z0-9_.+-]*")
LONGEST = 1024  # bytes of a command
C_MAIN = """\
#include <stdio.h>

int main(void)
{{
{calls}	return 0;
}}
"""
C_CALL = """\
	{{
		const char *const argv[] = {{ {words}NULL }};
		const struct {name}_row *const row = {match};
		puts(!row ? "unlisted" : row->verdict == {prefix}_ALLOWED ? "allowed" : "forbidden");
		puts(row ? row->command : "-");
		if (row && !({agrees}))
			return 1;
	}}
"""
PYTHON_MAIN = """\
import importlib, json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
def answer(policy, role, argv):
    module = importlib.import_module(policy)
    return module.match(argv) if role == "-" else module.match_in(role, argv)
print(json.dumps([answer(*case) for case in json.load(sys.stdin)]))
"""


@dataclasses.dataclass
class Case:
    line: int
    policy: str
    role: str
    argv: list[str]  # bytes that are no UTF-8 as Python has them in os.argv
    verdict: str
    row: str

    def answer(self) -> tuple[str, str]:
        return self.verdict, self.row

    def words(self) -> list[bytes]:
        return [os.fsencode(word) for word in self.argv]

    def can_be_written(self) -> bool:
        """Whether a policy can name exactly these words."""
        rest_is_plain = all(word and word.isprintable() and not re.search(r"\s", word) for word in self.argv)
        is_short = len(b" ".join(self.words())) <= LONGEST
        return bool(self.argv and rest_is_plain and is_short and PROGRAM.fullmatch(self.argv[0]))


def read_cases() -> list[Case]:
    cases = []
    for number, line in enumerate((FOLDER / "cases.tsv").read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("#"):
            continue
        policy, role, argv, verdict, row = line.split("\t")
        words = [word if isinstance(word, str) else word[0] * word[1] for word in json.loads(argv)]
        cases.append(Case(number, policy, role, words, verdict, row))
    return cases


def policies(cases: list[Case]) -> list[str]:
    return sorted({case.policy for case in cases})


def compare(cases: list[Case], answers: list[tuple[str, str]]) -> None:
    suite.same("the number of answers", len(answers), len(cases))
    wrong = [f"cases.tsv:{case.line}: {answer}, not {case.answer()}"
             for case, answer in zip(cases, answers) if answer != case.answer()]  # fmt: skip
    if wrong:
        suite.fail("\n".join(wrong))


def compile_all(cases: list[Case], folder: Path) -> None:
    for policy in policies(cases):
        suite.compile_policy(FOLDER / f"{policy}.allow", folder, *QUIET, "--emit", "c-header,python")


# ---- C ----


def c_literal(word: bytes) -> str:
    """In octal, three digits each, so that no digit behind one is taken for its own."""
    return '"' + "".join(chr(byte) if chr(byte).isalnum() and byte < 128 else f"\\{byte:03o}" for byte in word) + '"'


def c_call(case: Case) -> str:
    """Beside the answer, what the other functions say of its row."""
    name, prefix = case.policy, case.policy.upper()
    if case.role == "-":
        match = f"{name}_match(argv)"
        agrees = (f"{name}_find(row->command) == row && "
                  f"{name}_allowed(row->command) == (row->verdict == {prefix}_ALLOWED)")  # fmt: skip
    else:
        role = f"{prefix}_ROLE_{case.role.upper()}"
        match = f"{name}_match_in({role}, argv)"
        agrees = f"row->verdict == {prefix}_ALLOWED || !{name}_allowed_in({role}, row->command)"
    words = "".join(f"{c_literal(word)}, " for word in case.words())
    return C_CALL.format(words=words, name=name, prefix=prefix, match=match, agrees=agrees)


def in_c(cases: list[Case]) -> None:
    compiler = shlex.split(os.environ.get("CC", "cc"))
    suite.need(compiler[0])
    with suite.scratch() as folder:
        compile_all(cases, folder)
        includes = "".join(f'#include "{policy}.h"\n' for policy in policies(cases))
        text = includes + C_MAIN.format(calls="".join(map(c_call, cases)))
        (folder / "main.c").write_text(text, encoding="ascii")
        suite.run([*compiler, "-O1", "-Wall", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
                   folder / "main.c", "-o", folder / "main"])  # fmt: skip
        lines = suite.run([folder / "main"]).stdout.splitlines()
        compare(cases, list(zip(lines[::2], lines[1::2])))


# ---- Python ----


def in_python(cases: list[Case]) -> None:
    with suite.scratch() as folder:
        compile_all(cases, folder)
        asked = json.dumps([(case.policy, case.role, case.argv) for case in cases])
        result = subprocess.run([sys.executable, "-I", "-S", "-c", PYTHON_MAIN, folder], input=asked, text=True,
                                capture_output=True, check=True)  # fmt: skip
        answers = [(verdict, row or "-") for verdict, row in json.loads(result.stdout)]
        compare(cases, answers)


# ---- explain ----


def explained(case: Case) -> tuple[str, str]:
    """Behind `--` each word is taken as it is written."""
    command = [*suite.program(), "explain", *QUIET, "--format", "json", FOLDER / f"{case.policy}.allow", "--"]
    result = subprocess.run([*command, *case.words()], capture_output=True, check=False)
    if result.returncode:
        suite.fail(f"cases.tsv:{case.line}: exit status {result.returncode}: {result.stderr.decode()[:500]}")
    answer = json.loads(result.stdout)
    for block in answer["blocks"]:
        if block["kind"] == "role" and block["name"] == case.role:
            return block["verdict"], block.get("subject", "-")
    return answer["verdict"], answer["row"]["subject"] if answer["row"] else "-"


def in_explain(cases: list[Case]) -> None:
    """A command without a word, or whose first one is empty, is nothing to explain: tested below."""
    asked = [case for case in cases if case.argv and case.argv[0]]
    compare(asked, [explained(case) for case in asked])


def explain_wants_a_command() -> None:
    policy = FOLDER / "tools.allow"
    for words, message in (([], f"name a command after the policy '{policy}'"), ([""], "the command is empty")):
        result = suite.run([*suite.program(), "explain", policy, "--", *words], expect=2)
        suite.same("message", result.stderr.splitlines()[0], f"allowc: {message}")


# ---- expect ----


def expectation(case: Case, verdict: str) -> str:
    words = " ".join(case.argv).replace("\\", "\\\\").replace('"', '\\"')
    return f'expect {verdict} "{words}"\n'


def failing(text: str, lines: list[str]) -> list[int]:
    """Which of these expectations do not hold in a layer above the policy of that text, counted from 0."""
    with suite.scratch() as folder:
        (folder / "lower.allow").write_text(text, encoding="utf-8")
        (folder / "upper.allow").write_text(f'policy upper\nextends "lower.allow"\n{"".join(lines)}', encoding="utf-8")
        command = [*suite.program(), "check", *QUIET, "--max-errors", "10000", "upper.allow"]
        result = suite.run(command, None, cwd=folder)
        errors = [int(line.split(":")[1]) - 3 for line in result.stderr.splitlines() if ": error: " in line]
        suite.same("exit status", result.returncode, 1 if errors else 0)
        return errors


def hold_alone(what: str, text: str, cases: list[Case]) -> None:
    """Each verdict holds in the policy of that text, and each other one fails at its own line."""
    suite.same(f"lines of {what} that fail", failing(text, [expectation(case, case.verdict) for case in cases]), [])
    wrong = [expectation(case, verdict) for case in cases for verdict in VERDICTS if verdict != case.verdict]
    suite.same(f"lines of {what} that should fail", failing(text, wrong), list(range(len(wrong))))


def policy_text(policy: str) -> str:
    return (FOLDER / f"{policy}.allow").read_text(encoding="utf-8")


def can_be_asked(cases: list[Case]) -> list[Case]:
    written = [case for case in cases if case.can_be_written()]
    if len(written) < len(cases) // 2:
        suite.fail(f"only {len(written)} of {len(cases)} vectors are asked")
    return written


def in_expect(cases: list[Case]) -> None:
    written = can_be_asked(cases)
    for policy in policies(written):
        hold_alone(policy, policy_text(policy), [case for case in written if case.policy == policy])


def in_expect_of_roles(cases: list[Case]) -> None:
    """No expectation names a role. Its two questions can be asked: of its own rows, as a policy of their own, whether
    they forbid; where they do not, of the layers."""
    written = can_be_asked(cases)
    for policy, role in sorted({(case.policy, case.role) for case in written}):
        text = policy_text(policy)
        rows = re.search(rf"^role {role} {{\n(.*?)^}}\n", text, re.M | re.S)[1]  # type: ignore[index]
        forbidden = set(re.findall(r'^ *forbid "?(.+?)"?  adr', rows, re.M))
        mine = [case for case in written if (case.policy, case.role) == (policy, role)]
        own = [case for case in mine if case.row in forbidden]
        others = [case for case in mine if case.row not in forbidden]
        hold_alone(f"role {role}", f"policy lower\n{rows}", own)
        suite.same(f"what role {role} does not forbid itself",
                   failing(f"policy lower\n{rows}", [expectation(case, "forbidden") for case in others]),
                   list(range(len(others))))  # fmt: skip
        hold_alone(f"the layers under role {role}", text, others)


def main() -> int:
    cases = read_cases()
    layers = [case for case in cases if case.role == "-"]
    roles = [case for case in cases if case.role != "-"]
    return suite.main([
        ("NAME_match and NAME_match_in in C", partial(in_c, cases)),
        ("match and match_in in Python", partial(in_python, cases)),
        ("explain, and the roles in it", partial(in_explain, cases)),
        ("explain wants a command", explain_wants_a_command),
        ("expect", partial(in_expect, layers)),
        ("expect, of a role's own rows and of the layers under them", partial(in_expect_of_roles, roles)),
    ])  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
