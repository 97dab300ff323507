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

#define SAY(PREFIX, row) \\
	puts(!row ? "unlisted" : row->verdict == PREFIX##_ALLOWED ? "allowed" : "forbidden"); \\
	puts(row ? row->command : "-")

#define ANSWER(NAME, PREFIX, ...) {{ \\
	const char *const argv[] = {{ __VA_ARGS__ }}; \\
	const struct NAME##_row *const row = NAME##_match(argv); \\
	SAY(PREFIX, row); \\
	if (row && (NAME##_find(row->command) != row || \\
	            NAME##_allowed(row->command) != (row->verdict == PREFIX##_ALLOWED))) \\
		return 1; }}

#define ANSWER_IN(NAME, PREFIX, ROLE, ...) {{ \\
	const char *const argv[] = {{ __VA_ARGS__ }}; \\
	const struct NAME##_row *const row = NAME##_match_in(ROLE, argv); \\
	SAY(PREFIX, row); }}

int main(void)
{{
{calls}	return 0;
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
    words = ", ".join([*map(c_literal, case.words()), "NULL"])
    prefix = case.policy.upper()
    if case.role == "-":
        return f"\tANSWER({case.policy}, {prefix}, {words})\n"
    return f"\tANSWER_IN({case.policy}, {prefix}, {prefix}_ROLE_{case.role.upper()}, {words})\n"


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


def check_expectations(policy: str, lines: list[str], status: int) -> list[str]:
    """The errors of a layer above the policy that holds those expectations."""
    with suite.scratch() as folder:
        (folder / f"{policy}.allow").write_bytes((FOLDER / f"{policy}.allow").read_bytes())
        (folder / "upper.allow").write_text(f"policy upper\nextends {policy}\n{''.join(lines)}", encoding="utf-8")
        command = [*suite.program(), "check", *QUIET, "--max-errors", "10000", "upper.allow"]
        result = suite.run(command, status, cwd=folder)
        return [line for line in result.stderr.splitlines() if ": error: " in line]


def in_expect(cases: list[Case]) -> None:
    """Each holds, and with another verdict each fails at its own line."""
    written = [case for case in cases if case.can_be_written()]
    if len(written) < len(cases) // 2:
        suite.fail(f"only {len(written)} of {len(cases)} vectors are asked")
    for policy in policies(written):
        mine = [case for case in written if case.policy == policy]
        check_expectations(policy, [expectation(case, case.verdict) for case in mine], 0)
        wrong = [expectation(case, verdict) for case in mine for verdict in VERDICTS if verdict != case.verdict]
        errors = check_expectations(policy, wrong, 1)
        suite.same(f"lines of {policy} that fail", [int(error.split(":")[1]) for error in errors],
                   list(range(3, 3 + len(wrong))))  # fmt: skip


def main() -> int:
    cases = read_cases()
    layers = [case for case in cases if case.role == "-"]
    return suite.main([
        ("NAME_match and NAME_match_in in C", partial(in_c, cases)),
        ("match and match_in in Python", partial(in_python, cases)),
        ("explain, and the roles in it", partial(in_explain, cases)),
        ("explain wants a command", explain_wants_a_command),
        ("expect", partial(in_expect, layers)),
    ])  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
