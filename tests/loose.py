"""Policies of every form that the grammar knows, laid out at random: what a formatter must put in order.

A policy is a list of statements, each a Line, a Row or a Block of tokens; `written()` lays it out loosely, with or
without comments. The same seed gives the same text.
"""

from __future__ import annotations

import dataclasses
import random
import re

Tokens = list[str]


@dataclasses.dataclass
class Line:
    tokens: Tokens


@dataclasses.dataclass
class Row:
    head: Tokens  # the verb and the subjects
    attributes: list[Tokens]  # each from its keyword on; in the one order


@dataclasses.dataclass
class Block:
    head: Tokens
    statements: list  # of Line and Row
    members: bool = False  # a `syscalls` block


Statement = Line | Row | Block

ORDER = "adr because needs requires as path instead with on until".split()
# Words that are keywords elsewhere, or that a signs' reader could take apart.
NAMES = ["git", "docker-buildx", "as", "expect", "errno", "adr", "on", "policy", "x=y", "a!b", "c++", "[", "é", "-",
         '"docker buildx"', '"a, b"', '"# no comment"', '"{"', '"\\""', '"\\\\"', '"\\u{e9} \\n"', '"é"', '""']
CALLS = ["ptrace", "kcmp", "@group", "process_vm_readv", '"read"', "clone3"]
STRINGS = ['"because"', '"a # in it"', '"} ; {"', '"with \\" a quote"', '"\\\\"', '"ü, ö"', '""', '"' + "long " * 25 + '"']
CONDITIONS = ["flags & CLONE_NEWUSER", "domain == AF_ALG && type != SOCK_RAW", "( a & 0xf ) == 1 | 2", "arg0 > -1",
              "( ( a & B | C ) != 0 )", "a < 1 && b <= 2 && c >= 3", "mode & S_ISUID | S_ISGID"]


# ---- what a policy says ----


def listed(entries: list[Tokens]) -> Tokens:
    tokens = list(entries[0])
    for entry in entries[1:]:
        tokens += [",", *entry]
    return tokens


class Maker:
    """Statements of valid form; most of them mean nothing."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice

    def some(self, choices: list[str], most: int = 4) -> Tokens:
        count = self.dice.choice([1, 1, 1, 2, most])
        return listed([[self.dice.choice(choices)] for _ in range(count)])

    def call(self) -> Tokens:
        call = [self.dice.choice(CALLS)]
        return call + ["(", *self.dice.choice(CONDITIONS).split(), ")"] if self.dice.random() < 0.4 else call

    def calls(self, most: int = 12) -> Tokens:
        return listed([self.call() for _ in range(self.dice.choice([1, 1, 2, most]))])

    def requirement(self) -> Tokens:
        return [self.dice.choice(NAMES)] + ([">=", "20.10"] if self.dice.random() < 0.5 else [])

    def value(self, kind: str) -> Tokens:
        dice = self.dice
        if kind in ("because", "instead"):
            return [dice.choice(STRINGS)]
        if kind == "path":
            return self.some(['"/usr/bin/x"', '"/opt/a b"'])
        if kind == "needs":
            return ["syscall", *self.calls()] if dice.random() < 0.5 else self.some(["CAP_BPF", "CAP_SYS_PTRACE"])
        if kind == "requires":
            return listed([self.requirement() for _ in range(dice.randint(1, 3))])
        if kind == "with":
            return dice.choice([["errno", "EPERM"], ["errno", "38"], ["kill"], ["log"]])
        if kind == "adr":
            return self.some(["0001", "phase2/0001", '"Phase 2 ADR-0001"', "15"])
        return [dice.choice(NAMES)] if kind in ("as", "until") else self.some(["linux", "macos"])

    def row(self) -> Row:
        dice = self.dice
        verb = dice.choice(["allow", "forbid", "decline", "revoke"])
        head = [verb, "syscall", *self.calls()] if dice.random() < 0.3 else [verb, *self.some(NAMES, 15)]
        kinds = [kind for kind in ORDER if dice.random() < (0.9 if kind in ("adr", "because") else 0.2)]
        if "needs" in kinds and dice.random() < 0.4:
            kinds.insert(kinds.index("needs"), "needs")
        return Row(head, [[kind, *self.value(kind)] for kind in kinds])

    def setting(self) -> Line:
        dice = self.dice
        word = dice.choice(["default", "base", "deny-with", "arch", "abi", "unknown", "hot"])
        if word in ("default", "deny-with", "unknown"):
            return Line([word, *dice.choice([["errno", "EPERM"], ["kill"], ["allow"], ["default"]])])
        return Line([word, *self.some(CALLS, 14)])

    def block(self) -> Block:
        dice = self.dice
        count = dice.randint(0, 3)
        kind = dice.choice(["role", "plugin", "seccomp", "syscalls"])
        if kind == "role":
            return Block(["role", dice.choice(NAMES)], [self.row() for _ in range(count)])
        if kind == "seccomp":
            return Block(["seccomp"], [self.setting() for _ in range(count)])
        if kind == "syscalls":
            return Block(["syscalls", "@group"], [Line(self.calls(20)) for _ in range(count)], members=True)
        lines: list = [Line([dice.choice(["tools", "optional"]), *self.some(NAMES)]) for _ in range(count)]
        file = ['"plugin.yaml"'] if dice.random() < 0.5 else []
        return Block(["plugin", dice.choice(NAMES), *file], lines + [self.row() for _ in range(dice.randint(0, 1))])

    def line(self) -> Line:
        dice = self.dice
        scope = ["phase2"] if dice.random() < 0.5 else []
        accept = ["accept", *self.some(STRINGS[:3])] if dice.random() < 0.5 else []
        region = ["region", "X"] if dice.random() < 0.5 else []
        return Line(dice.choice([
            ["policy", "p"], ["edition", "1"], ["title", dice.choice(STRINGS)], ["extends", dice.choice(NAMES)],
            ["use", '"x.allow"'], ["use", "<", "std-container-2026", ">"],
            ["decisions", *scope, '"adr"', *accept], ["output", "python", '"x.py"', *region],
            ["expect", dice.choice(["allowed", "forbidden", "unlisted"]), *self.some(NAMES)],
            ["expect", "denied", "syscall", *self.some(CALLS)], ["expect", "strength", "mechanism"],
            ["expect", "adr", "1", "adds", *self.some(NAMES)],
        ]))  # fmt: skip

    def policy(self) -> list[Statement]:
        makers = [self.line, self.row, self.row, self.block]
        return [self.dice.choice(makers)() for _ in range(self.dice.randint(0, 8))]


# ---- how it is written ----

SIGNS = {",", "(", ")", "<", ">", "<=", ">=", "==", "!=", "&", "&&", "|"}


class Writer:
    def __init__(self, dice: random.Random, comments: bool) -> None:
        self.dice, self.comments = dice, comments

    def blank(self, least: int = 0) -> str:
        return "".join(self.dice.choice(" \t ") for _ in range(self.dice.choice([least, least, 1, 3])))

    def comment(self) -> str:
        """To the line's end, or nothing."""
        if not self.comments or self.dice.random() > 0.25:
            return ""
        text = self.dice.choice(["# why", "#", "#! {", "# ; }", '# "', "# ü\t, "])
        return " " + self.blank() + text + self.blank()

    def line_end(self) -> str:
        """Of one line or more, perhaps with comments on their own."""
        text = self.comment() + "\n"
        while self.dice.random() < 0.25:
            text += self.blank() + self.comment() + "\n"
        return text + self.blank()

    def tokens(self, tokens: Tokens) -> str:
        text, depth = "", 0
        for before, token in zip([""] + tokens, tokens):
            depth += (token == "(") - (token == ")")
            if before == "," and self.dice.random() < 0.3:
                text += self.line_end() + token
                continue
            apart = before and not (before in SIGNS or token in SIGNS)
            text += (self.blank(1 if apart else 0) if before else "") + token
        return text

    def separator(self) -> str:
        end = self.dice.choice(["", "", ";", ";;"])
        return self.blank() + end + (self.blank() if end and self.dice.random() < 0.6 else self.line_end())

    def joined(self, texts: list[str]) -> str:
        """The inside of braces."""
        text = self.line_end() if self.dice.random() < 0.7 else self.blank()
        for index, part in enumerate(texts):
            last = index + 1 == len(texts) and self.dice.random() < 0.5
            text += part + (self.blank() if last else self.separator())
        return text

    def shuffled(self, attributes: list[Tokens]) -> list[Tokens]:
        """In any order, but for those of one kind."""
        places = list(range(len(attributes)))
        self.dice.shuffle(places)
        mixed = [attributes[place] for place in places]
        for kind in ORDER:
            own = iter([attribute for attribute in attributes if attribute[0] == kind])
            mixed = [next(own) if attribute[0] == kind else attribute for attribute in mixed]
        return mixed

    def row(self, row: Row) -> str:
        attributes = self.shuffled(row.attributes)
        split = self.dice.randint(0, len(attributes))
        text = self.tokens(row.head)
        for attribute in attributes[:split]:
            text += self.blank(1) + self.tokens(attribute)
        if split == len(attributes) and self.dice.random() < 0.8:
            return text
        inside: list[str] = []
        for attribute in attributes[split:]:
            if inside and self.dice.random() < 0.2:
                inside[-1] += self.blank(1) + self.tokens(attribute)
            else:
                inside.append(self.tokens(attribute))
        return text + self.blank() + "{" + self.joined(inside) + "}"

    def statement(self, statement: Statement) -> str:
        if isinstance(statement, Line):
            return self.tokens(statement.tokens)
        if isinstance(statement, Row):
            return self.row(statement)
        inside = self.joined([self.statement(inner) for inner in statement.statements])
        return self.tokens(statement.head) + self.blank() + "{" + inside + "}"

    def policy(self, policy: list[Statement]) -> str:
        text = self.line_end() if self.dice.random() < 0.5 else self.blank()
        for statement in policy:
            text += self.statement(statement) + self.separator()
        return text


def written(dice: random.Random, policy: list[Statement], comments: bool) -> str:
    return Writer(dice, comments).policy(policy)


# ---- what a text says, by a reader that knows no grammar ----

PIECE = re.compile(r"""(?P<comment>#[^\n]*)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<divider>[{},;])"""
                   r"""|(?P<sign>[()|]|&&?|[<>]=?)|(?P<word>[^\s{}(),;"<>#&|]+)""")  # fmt: skip


def pieces(text: str) -> tuple[Tokens, Tokens]:
    """The words, strings and signs of a text in its layout, but for those that only divide; and the comments."""
    words, comments = [], []
    for match in PIECE.finditer(text):
        if match["comment"]:
            comments.append(match["comment"].rstrip())
        elif not match["divider"]:
            words.append(match[0])
    return words, comments


def said(policy: list[Statement]) -> Tokens:
    """The tokens of the policy in the one order, but for commas."""
    tokens: Tokens = []
    for statement in policy:
        if isinstance(statement, Line):
            tokens += statement.tokens
        elif isinstance(statement, Row):
            tokens += statement.head + [token for attribute in statement.attributes for token in attribute]
        else:
            tokens += statement.head + said(statement.statements)
    return [token for token in tokens if token != ","]
