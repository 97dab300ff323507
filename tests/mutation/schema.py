"""All mutants of a file in one object: each is a copy of its function, and $MUTANT says which one runs.

What stands outside of functions, or in one whose head is not understood, is not in it.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import mutants
import tests

CHOICE = """char *getenv(const char *name);
int atoi(const char *text);
static int mutant_number;
static __attribute__((constructor)) void mutant_choose(void)
{
	const char *text = getenv("MUTANT");
	mutant_number = text ? atoi(text) : -1;
}
"""
PARAMETER = re.compile(r"(?:\(\*(\w+)\)\(.*\)|(\w+)(?:\[[^\]]*\])*)$", re.DOTALL)
# What a brace that is missing in one does to all behind it is no fault of theirs.
BROKEN = re.compile(r"^mutant-(\d+):\d+:\d+: error: (?!invalid storage class)", re.MULTILINE)


def arguments(parameters: str) -> list[str] | None:
    """The names of "int a, char *b"; None where one has none."""
    names, depth, begin = [], 0, 0
    if parameters.strip() == "void":
        return []
    for at, char in enumerate(parameters + ","):
        depth += (char == "(") - (char == ")")
        if char == "," and not depth:
            found = PARAMETER.search(parameters[begin:at].strip())
            if not found or "..." in parameters[begin:at]:
                return None
            names.append(found[1] or found[2])
            begin = at + 1
    return names


class Function:
    """Where one stands in the text, and how it is called."""

    def __init__(self, text: str, code: str, found: re.Match[str]):
        self.begin, self.name, self.name_begin = found.start(), found[1], found.start(1)
        self.brace = found.end() - 1
        self.end = code.index("\n}", self.brace) + 2
        opening = found.end(1)
        self.arguments = arguments(code[opening + 1:mutants.closing(code, opening)])
        self.text = text

    def renamed(self, number: int, body: str) -> str:
        head = self.text[self.begin:self.name_begin] + f"{self.name}__{number}"
        head += self.text[self.name_begin + len(self.name):self.brace]
        return f"static {head.removeprefix('static ')}{body}\n"

    def chosen(self, numbers: list[int]) -> str:
        """The function that calls the copy."""
        call = f"({', '.join(self.arguments or [])})"
        cases = [f"\tcase {number}: return {self.name}__{number}{call};\n" for number in numbers]
        return (f"{self.text[self.begin:self.brace]}{{\n\tswitch (mutant_number) {{\n{''.join(cases)}"
                f"\tdefault: return {self.name}__0{call};\n\t}}\n}}")  # fmt: skip


class Schema:
    """`numbers` has what $MUTANT is for each mutant that is in the object."""

    def __init__(self, copy: tests.Copy, file: str, source: Path, made: Path):
        self.copy, self.file, self.source, self.made = copy, file, source, made
        self.numbers: dict[mutants.Mutant, int] = {}
        self.broken: set[mutants.Mutant] = set()

    def build(self) -> bool:
        """Leaves out what does not compile. Where the text as a whole does not, false, and no mutant is in it."""
        text = (self.copy.tree / self.file).read_text(encoding="utf-8")
        code = mutants.code_of(text)
        functions = [Function(text, code, found) for found in mutants.FUNCTION.finditer(code)]
        made = mutants.mutants(self.file, text)
        while True:
            self.write(text, [function for function in functions if function.arguments is not None], made)
            words = self.copy.compiling(self.source, self.made)
            done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
            if done.returncode == 0:
                return True
            broken = {int(number) for number in BROKEN.findall(done.stderr)}
            if not broken:
                self.numbers, self.broken = {}, set()
                return False
            self.broken |= {mutant for mutant, number in self.numbers.items() if number in broken}

    def write(self, text: str, functions: list[Function], made: list[mutants.Mutant]) -> None:
        self.numbers = {}
        pieces, at = [CHOICE], 0
        for function in functions:
            inside = [(number, mutant) for number, mutant in enumerate(made, start=1)
                      if function.brace < mutant.begin and mutant.end <= function.end
                      and mutant not in self.broken]  # fmt: skip
            # A function that calls itself calls the choice.
            pieces += [text[at:function.begin], f"{text[function.begin:function.brace]};\n",
                       function.renamed(0, text[function.brace:function.end])]  # fmt: skip
            for number, mutant in inside:
                body = (text[function.brace:mutant.begin] + mutant.new + text[mutant.end:function.end])
                pieces.append(f'#line 1 "mutant-{number}"\n{function.renamed(number, body)}')
                self.numbers[mutant] = number
            pieces.append(f'#line 1 "choice"\n{function.chosen([number for number, _ in inside])}')
            at = function.end
        self.source.write_text("".join(pieces) + text[at:], encoding="utf-8")
