#!/usr/bin/env python3
"""What allowc fmt promises, of generated policies, of all golden ones and of those of this project.

The generated ones are those of ALLOWC_SEED.
"""

import collections
import json
import os
import random
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import golden  # noqa: E402
import loose  # noqa: E402
import suite  # noqa: E402
import tap  # noqa: E402
from tap import allowc, equal, passes, test  # noqa: E402

SEED = int(os.environ.get("ALLOWC_SEED", "20261129"))
COUNT = 250


def dice_of(number):
    return random.Random(f"{SEED}-{number}")


def policy_of(number):
    return loose.Maker(dice_of(number)).policy()


def write(name, text, number=0):
    """Every third file as Windows has it, every fifth without the end of its last line."""
    text = text.rstrip("\n") if number % 5 == 4 else text
    text = "\ufeff" + text.replace("\n", "\r\n") if number % 3 == 2 else text
    Path(name).write_bytes(text.encode())


def read(name):
    return Path(name).read_bytes().decode()


def laid_out(texts):
    """Each text in its layout."""
    names = [f"{number}.allow" for number in range(len(texts))]
    for number, text in enumerate(texts):
        write(names[number], text, number)
    passes("fmt", "-q", *names)
    return [read(name) for name in names]


def without_blank_lines(text):
    return re.sub(r"\n+", "\n", text).lstrip("\n")


def case(number, text):
    return f"seed {SEED}-{number}:\n{text}"


# ---- generated policies ----


@test
def generated_policies_stay_in_their_layout():
    texts = laid_out([loose.written(dice_of(-number), policy_of(number), True) for number in range(COUNT)])
    equal(laid_out(texts), texts)
    for number, text in enumerate(texts):
        equal("\r" in text or "\ufeff" in text or "\n\n\n" in text, False, case(number, text))
        equal(bool(re.search(r"[ \t]\n|\A\n|\n\n\Z|\n\n *\}", text)), False, case(number, text))


@test
def generated_policies_keep_words_and_comments():
    loosely = [loose.written(dice_of(-number), policy_of(number), True) for number in range(COUNT)]
    for number, (before, after) in enumerate(zip(loosely, laid_out(loosely))):
        words, comments = loose.pieces(after)
        equal(comments, loose.pieces(before)[1], case(number, before))
        equal(collections.Counter(words), collections.Counter(loose.said(policy_of(number))), case(number, before))


@test
def generated_policies_without_comments_have_one_layout():
    loosely = [[loose.written(dice_of(turn * COUNT - number), policy_of(number), False) for number in range(COUNT)]
               for turn in (0, -1)]
    one, other = ([without_blank_lines(text) for text in laid_out(texts)] for texts in loosely)
    for number in range(COUNT):
        equal(one[number], other[number], case(number, loosely[0][number]))
        equal(loose.pieces(one[number])[0], loose.said(policy_of(number)), case(number, loosely[0][number]))


@test
def the_lines_of_a_statement_depend_on_it_alone():
    policies = [policy_of(number) for number in range(COUNT // 4)]
    whole = laid_out([loose.written(dice_of(-number), policy, False) for number, policy in enumerate(policies)])
    statements = [statement for policy in policies for statement in policy]
    alone = iter(laid_out([loose.written(dice_of(0), [statement], False) for statement in statements]))
    for number, policy in enumerate(policies):
        joined = "".join(without_blank_lines(next(alone)) for _ in policy)
        equal(without_blank_lines(whole[number]), joined, case(number, joined))


# ---- artifacts ----


def without_lines(name, data):
    """The resolved policy and the listing say on which line a row stands; the checksums are theirs too."""
    if name.endswith(".json"):
        return re.sub(rb'"line": \d+', b'"line": 0', data)
    if name.endswith(".seccomp.txt"):
        return re.sub(rb"(\.allow):\d+", rb"\1", data)
    if name.endswith(".sha256"):
        return re.sub(rb"^.*\.(json|txt)\n", b"", data, flags=re.M)
    return data


def compiled(path, folder):
    """The exit status, the names of what was reported, and the artifacts."""
    shutil.rmtree(folder, ignore_errors=True)
    done = allowc("-q", "--emit", "all", "--max-errors", "0", "--diagnostics", "json", "-o", folder, path)
    found = sorted(entry["name"] for entry in json.loads(done.stderr or "[]") if "name" in entry)
    written = suite.tree(Path(folder)) if os.path.isdir(folder) else {}
    return done.returncode, found, {name: without_lines(name, data) for name, data in written.items()}


def valid_policy(dice):
    """Rows that compile, in the words of the loose ones."""
    rows = [loose.Line(["policy", "p"])]
    for number in range(dice.randint(1, 6)):
        attributes = [["adr", "1"], ["because", f'"reason {number}"']]
        if dice.random() < 0.5:
            attributes += [["as", f"spelt{number}"], ["path", f'"/usr/bin/x{number}"'], ["on", "linux", ",", "macos"]]
        rows.append(loose.Row(["allow", f"tool{number}"], attributes))
    calls = dice.sample(["ptrace", "kcmp", "mount", "bpf", "keyctl", "swapon"], 3)
    call = ["(", "request", "==", "1", ")"] if calls[0] == "ptrace" else []
    rows.append(loose.Row(["forbid", "syscall", calls[0], *call, ",", calls[1]],
                          [["adr", "1"], ["because", '"x"'], ["with", "errno", "EACCES"]]))  # fmt: skip
    rows.append(loose.Row(["forbid", "strace"], [["adr", "1"], ["because", '"x"'], ["needs", "syscall", calls[2]],
                                                ["instead", '"y"'], ["until", "2099-12-31"]]))  # fmt: skip
    rows.append(loose.Block(["role", "r"], [loose.Row(["forbid", "tool0"], [["adr", "1"], ["because", '"x"']])]))
    rows.append(loose.Block(["plugin", "q"], [loose.Line(["tools", "tool0"])]))
    rows.append(loose.Block(["seccomp"], [loose.Line(["arch", "x86_64", ",", "aarch64"]),
                                          loose.Line(["hot", "read", ",", "write"])]))  # fmt: skip
    rows.append(loose.Line(["expect", "allowed", "tool0"]))
    return rows


@test
def generated_policies_compile_to_the_same_artifacts():
    for number in range(25):
        write("p.allow", loose.written(dice_of(-number), valid_policy(dice_of(number)), True), number)
        before = compiled("p.allow", "out")
        equal((before[0], len(before[2]) > 5), (0, True), case(number, read("p.allow")))
        passes("fmt", "-q", "p.allow")
        equal(compiled("p.allow", "out"), before, case(number, read("p.allow")))


def differing(files):
    """Those that are not in their layout; what is broken has none."""
    return re.findall(r"^--- (.*)$", allowc("fmt", "--check", "--max-errors", "1", *files).stdout, re.M)


@test
def golden_policies_say_the_same_in_their_layout():
    shutil.copytree(golden.CASES, "golden", symlinks=True, ignore=shutil.ignore_patterns("expect*", "intent"))
    files = [str(path) for path in sorted(Path("golden").rglob("*.allow")) if path.is_file()]
    loosely = differing(files)
    cases = sorted({Path(*Path(file).parts[:2]) / "policy.allow" for file in loosely})
    equal(len(cases) > 50, True, cases)
    before = [compiled(policy, "out") for policy in cases]
    equal(sum(found[0] == 0 for found in before) > 20, True, "cases that compile")
    passes("fmt", "-q", *loosely)
    equal([policy for policy, found in zip(cases, before) if compiled(policy, "out") != found], [])
    equal(differing(files), [])


# ---- this project ----


@test
def the_policies_of_this_project_are_in_their_layout():
    found = [path for folder in ("policies", "tests/live") for path in (suite.ROOT / folder).rglob("*.allow")]
    equal(len(found) > 5, True, found)
    passes("fmt", "--check", *sorted(found))


@test
def the_examples_of_the_pages_are_in_their_layout():
    for name in ("README.md", "grammar/README.md"):
        page = (suite.ROOT / name).read_text(encoding="utf-8")
        page = re.sub(r"^## Lines$.*?^(?=## )", "", page, flags=re.M | re.S)  # shows what else may be written
        fences = [match[3] for match in golden.FENCE.finditer(page)]
        equal(len(fences) > 1, True, name)
        for number, fence in enumerate(fences):
            write(f"{number}.allow", fence)
        passes("fmt", "--check", *(f"{number}.allow" for number in range(len(fences))))


tap.main()
