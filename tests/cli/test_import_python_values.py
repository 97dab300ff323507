#!/usr/bin/env python3
"""Modules made at random, run by Python: what import reads of a list is what the list holds, or it is an error.

The modules put collections together, copy them, give them other names, and change them. Of what a module shows in its
text nothing may be missed: a name too few, or one that was taken out again.
"""

import random
import re
import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap  # noqa: E402
from tap import allowc, equal, test  # noqa: E402

MODULES = 400
SEED = 20261130
NAMES = ["CORE", "MORE", "BASE", "TOOLS", "WHOLE"]
WORDS = ["git", "rg", "jq", "fd", "bat", "tar", "zip"]

random_of = random.Random(SEED)
warnings.simplefilter("ignore", SyntaxWarning)  # of what is made here


def words():
    return ", ".join(f'"{word}"' for word in random_of.sample(WORDS, random_of.randint(1, 3)))


def literal():
    return random_of.choice(["{%s}", "frozenset([%s])", "[%s]", "(%s,)", "set((%s,))"]) % words()


def part(names, depth):
    """An expression that mostly is a collection: what is none, Python refuses."""
    if depth == 0 or random_of.random() < 0.3:
        return random_of.choice(names) if names and random_of.random() < 0.7 else literal()
    form = random_of.choice([
        "{0} | {1}", "{0} | {1}", "{0} + {1}", "{0} - {1}", "{0} & {1}", "{0} ^ {1}", "set({0})", "frozenset({0})",
        "sorted({0})", "({0})", "({0}).union({1})", "{2}.union({0}, {1})", "{2}.difference({0})", "{2}.copy()",
        "[*{2}, *{0}]", "{{*{2}, {3}}}", "[*({0}), {3}]", "{0} if {2} else {1}", "{2} or {1}", "tuple({0})",
        "{{x for x in ({0})}}", "list(x for x in ({0}) if x != 'git')", "set.union({0}, {1})", "{2}[:]",
    ])  # fmt: skip
    name = random_of.choice(names) if names else literal()
    return form.format(part(names, depth - 1), part(names, depth - 1), name, words())


def change(names):
    name, other, word = random_of.choice(names), random_of.choice(names), random_of.choice(WORDS)
    return random_of.choice([
        f'{name}.add("{word}")', f'{name}.discard("{word}")', f'{name}.append("{word}")', f"{name} |= {other}",
        f'{name} += ["{word}"]', f"{name}.update({other})", f'({name}).remove("{word}")', f"{name}.clear()",
        f"{name}.extend({other})", f'set.add({name}, "{word}")', f'getattr({name}, "discard")("{word}")',
        f"[LAST] = [{name}]\nLAST.clear()", f"LAST, FIRST = {name}, {other}\nLAST.clear()",
        f'for LAST in ({name}, {other}): LAST.add("{word}")', f"LAST = {name} if {other} else []\nLAST.clear()",
        f'LAST = {other} and {name}\nLAST.add("{word}")', f'LAST = {name}\nLAST.add("{word}")',
        f"del {name}[0]", f"{name}[0] = '{word}'", f"FIRST = LAST = {name}\nFIRST.clear()",
        f"if {name}: {name} = {literal()}", f'with open("/dev/null"): {name} = {literal()}',
    ])  # fmt: skip


def module():
    lines, names = [], []
    for name in NAMES[: random_of.randint(2, len(NAMES))]:
        annotation = random_of.choice(["", "", ": Final", ", LIMIT"])
        value = part(names, random_of.randint(0, 2)) + (", 3" if annotation == ", LIMIT" else "")
        lines.append(f"{name}{annotation} = {value}")
        names.append(name)
        if random_of.random() < 0.12:
            lines.append(change(names))
    return "\n".join(lines) + "\n", names


def held(text):
    """What the names hold once the module has run; None where it does not run."""
    values = {"Final": None}
    try:
        exec(text, values)  # it was made here
    except (SyntaxError, TypeError, AttributeError, NameError, KeyError, ValueError, IndexError):
        return None
    return values


def imported(name):
    """The names that the policy allows; None where there was an error."""
    done = allowc("import", "--symbol", name, "m.py") if name else allowc("import", "m.py")
    if done.returncode:
        return None
    return set(re.findall(r"^allow (\S+)  adr", done.stdout, re.MULTILINE))


def modules_that_run():
    """Each as "m.py", with its text, its names and what they hold."""
    for _ in range(MODULES):
        text, names = module()
        values = held(text)
        if values:
            Path("m.py").write_text(text, encoding="utf-8")
            yield text, names, values


@test
def what_is_read_is_what_python_holds():
    read = run = 0
    for text, names, values in modules_that_run():
        name = names[-1]
        found = imported(name)
        run += 1
        read += found is not None
        if found is not None and isinstance(values.get(name), (set, frozenset, list, tuple)):
            equal(found, set(values[name]), text)
    equal((run > MODULES // 4, read > run // 5), (True, True), f"{read} of {run} modules were read")


@test
def a_module_alone_gives_all_of_its_lists_or_an_error():
    """No collection of the module holds a name that is not printed."""
    read = 0
    for text, names, values in modules_that_run():
        found = imported(None)
        if found is None:
            continue
        read += 1
        everything = {word for name in names for word in values.get(name, ())}
        equal(found >= everything, True, text)
    equal(read > 5, True, f"{read} modules were read")


@test
def no_list_is_allowed_in_silence_beside_a_refusal():
    """Wherever the module shows what it refuses: the list beside it is read when it is named, or is an error."""
    shapes = [
        'DENIED = {1} | {{"su"}}', "DENIED = {1}.union(['su'])", 'DENIED = made({{"su"}})', 'DENIED = {1} or ["su"]',
        'class Policy:\n    DENIED = {{"su"}}', 'def check():\n    denied = ("su",)', "DENIED = 'su sudo'.split()",
        'match 1:\n    case 1: DENIED = {{"su"}}', 'if {0}: DENIED = {{"su"}}', 'DENIED = "su", "sudo"',
        "DENIED = [*{0}]", "DENIED = sorted({0})", 'DENIED = {{*{0}, "su"}}', "DENIED = {0} | {1}", "DENIED = {0}",
        'class Denied:\n    COMMANDS = ["su"]', 'DENIED: Final = ({1}).union({{"su"}})', "DENIED = {0}.copy()",
    ]  # fmt: skip
    for shape in shapes:
        line = shape.format("TOOLS", "given")
        for text in (f'TOOLS = {{"git"}}\n{line}\n', f'{line}\nTOOLS = {{"git"}}\n'):
            if "TOOLS" in line and not text.startswith("TOOLS"):
                continue
            Path("m.py").write_text(text, encoding="utf-8")
            equal(imported(None), None, text)


tap.main()
