"""Mutants of a C file: the same text with one small mistake in it.

Only code is changed: no comment, string, character constant, preprocessor line or assertion. The rules are
tokens and lines; nothing here parses C, so that a mutant may not compile, which the compiler finds out.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Iterator

HIDDEN = re.compile(
    r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:\\\n|[^\n])*",
    re.DOTALL | re.MULTILINE,
)
# And how many a map is made for, which changes no answer.
ASSERTION = re.compile(r"\b(?:(?:static_)?assert|map_new)\(")
FUNCTION = re.compile(r"^(?!typedef|struct \w+ \{|enum)[A-Za-z][^;{}=()]*?\b(\w+)\([^;{}]*\)\n\{", re.MULTILINE)

OPERATOR = re.compile(r"->|<<=?|>>=?|==|!=|<=|>=|&&|\|\||\+\+|--|[<>!]")
SWAPPED = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "&&": "||", "||": "&&", "!": ""}
TRUTH = re.compile(r"\b(?:true|false)\b")
NUMBER = re.compile(r"(?<![\w.])(?:0[xX][0-9a-fA-F]+|[0-9]+)(?=[uUlL]*\b)(?!\.)")
CONDITION = re.compile(r"\b(?:if|while) \(")
# A statement of its own that can go: a call whose value nobody takes, or a jump. Not a release: leaks are the
# business of `make asan`.
STATEMENT = re.compile(r"^[ \t]+((?:\w+(?:->|\.))*\w+\([^;{}]*\)|continue|break|return);$", re.MULTILINE)
NO_CALL = re.compile(r"(?:\w+_release\b|if|for|while|switch|return|sizeof|assert|static_assert)\b(?!;)")


@dataclasses.dataclass(frozen=True)
class Mutant:
    """`file` with the text from `begin` to `end` replaced by `new`."""

    file: str
    line: int
    column: int
    begin: int
    end: int
    new: str
    head: int  # the line with the brace that opens its function
    shown: str  # the function, then the line with the place in brackets: [old -> new]

    def name(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.shown}"

    def is_condition(self) -> bool:
        """Not a constant, nor a statement that is gone."""
        return bool(re.search(r"\[(?:[!=<>&|]+ -> |.* -> !\()", self.shown))

    def reached_at(self) -> int:
        """The line that tells who comes by. Several cases of a switch may share the code of one `break`."""
        return self.head if "[break -> ]" in self.shown else self.line

    def key(self) -> str:
        """What stays the same while other lines change."""
        return f"{self.file}: {self.shown}"

    def apply(self, text: str) -> str:
        return text[:self.begin] + self.new + text[self.end:]


def closing(text: str, opening: int) -> int:
    """Where the bracket that stands at `opening` closes."""
    depth = 0
    for at in range(opening, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0:
            return at
    return len(text)


def blank(text: str, begin: int, end: int) -> str:
    return text[:begin] + re.sub(r"[^\n]", " ", text[begin:end]) + text[end:]


def code_of(text: str) -> str:
    """The text with blanks for all that is left alone; as long, with the same lines."""
    for found in HIDDEN.finditer(text):
        text = blank(text, *found.span())
    for found in ASSERTION.finditer(text):
        text = blank(text, found.start(), closing(text, found.end() - 1) + 1)
    return text


def changes(code: str) -> Iterator[tuple[int, int, str]]:
    """Begin, end and new text of each change."""
    for found in OPERATOR.finditer(code):
        if found[0] in SWAPPED:
            yield found.start(), found.end(), SWAPPED[found[0]]
    for found in TRUTH.finditer(code):
        yield found.start(), found.end(), "false" if found[0] == "true" else "true"
    for found in NUMBER.finditer(code):
        number = int(found[0], 16 if found[0][:2] in ("0x", "0X") else 10)
        yield found.start(), found.end(), str(number + 1)
        if number:
            yield found.start(), found.end(), str(number - 1)
    for found in CONDITION.finditer(code):
        begin, end = found.end(), closing(code, found.end() - 1)
        # With an operator in it there are mutants enough.
        if not any(operator in SWAPPED for operator in OPERATOR.findall(code[begin:end])):
            yield begin, begin, "!("  # and its end, see `mutants`
    for found in STATEMENT.finditer(code):
        if not NO_CALL.match(found[1]):
            yield found.start(1), found.end(1), ""


def function_at(code: str) -> list[tuple[int, int, str]]:
    """Where each begins, the line of its brace, its name."""
    return [(found.start(), code.count("\n", 0, found.end()) + 1, found[1]) for found in FUNCTION.finditer(code)]


def mutants(file: str, text: str) -> list[Mutant]:
    """All of them, in the order of the text."""
    code = code_of(text)
    functions = function_at(code)
    made = []
    for begin, end, new in sorted(changes(code)):
        before = [(head, name) for start, head, name in functions if start <= begin]
        head, name = before[-1] if before else (0, "-")
        old = text[begin:end]
        if new == "!(":
            end = closing(code, begin - 1)
            old, new = text[begin:end], f"!({text[begin:end]})"
        start = text.rfind("\n", 0, begin) + 1
        stop = text.find("\n", end)
        row = f"{text[start:begin]}[{old} -> {new}]{text[end:stop]}"
        shown = f"{name}: {' '.join(row.split())}"
        line = text.count("\n", 0, begin) + 1
        made.append(Mutant(file, line, begin - start + 1, begin, end, new, head, shown))
    return made
