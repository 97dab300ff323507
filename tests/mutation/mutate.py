#!/usr/bin/env python3
"""Mutation testing of the resolver, the gate and the quoting functions.

    mutate.py [--part PART] [--only FILE] [--conditions] [--sample N --seed S] [--jobs N] [--quick] [--again]
    mutate.py --list             what would be tried, without trying

One small mistake is made at a time (mutants.py) in a copy of the tree, and the tests that come by the line (reach.py)
run until one fails: the mutant is killed. All mutants of a file are one object (schema.py), where they can be. What
no test notices has survived: somebody writes a test, or a line of equivalent.txt that says why nothing can notice.
Those are not tried again.

Results are kept in build/mutation/results.tsv, a line a mutant: a run that was interrupted goes on where it was.
--again tries once more what survived. The exit status is 1 where something has.
"""

from __future__ import annotations

import argparse
import collections
import multiprocessing
import os
import queue
import random
import sys
from pathlib import Path

import mutants
import reach
import schema
import tests

ROOT = tests.suite.ROOT
FOLDER = tests.suite.BUILD.resolve() / "mutation"
EXPLAINED = Path(__file__).parent / "equivalent.txt"

RESOLVER = """resolve chain scopes groups condition condition_bind condition_warn match rows row_subject merge blocks
    settings calls role_calls setting_calls expectations guards doors unsaid_needs adr_blocks warnings values
    scope_index accepted_words"""
PARTS = {
    "gate": [*sorted(str(path.relative_to(ROOT)) for path in (ROOT / "compiler/gate").glob("*.c")),
             "compiler/commands/gate.c"],
    "quoting": ["backends/quote.c", "backends/identifier.c", "backends/markdown.c"],
    "resolver": [f"compiler/policy/{name}.c" for name in RESOLVER.split()],
}  # fmt: skip
QUICK_TESTS = 120
QUICK = 2.0  # seconds of a test
SOURCES = [source for sources in PARTS.values() for source in sources]


def read_explained() -> dict[str, str]:
    """FILE: FUNCTION: LINE  # REASON"""
    explained = {}
    for line in EXPLAINED.read_text(encoding="utf-8").splitlines():
        key, hash_sign, reason = line.partition("  # ")
        if key and not line.startswith("#"):
            if not hash_sign or not reason.strip():
                sys.exit(f"mutate: {EXPLAINED.name} gives no reason: {line}")
            explained[key] = reason
    return explained


def part_of(file: str) -> str:
    return next(part for part, sources in PARTS.items() if file in sources)


class Results:
    """What is known of mutants, by their names; appended to the file as it comes."""

    def __init__(self, file: Path):
        self.file, self.known = file, {}
        if file.exists():
            for line in file.read_text(encoding="utf-8").splitlines():
                outcome, test, name = line.split("\t", 2)
                self.known[name] = (outcome, test)

    def add(self, name: str, outcome: str, test: str) -> None:
        self.known[name] = (outcome, test)
        with open(self.file, "a", encoding="utf-8") as stream:
            stream.write(f"{outcome}\t{test}\t{name}\n")


class Worker:
    """Tries mutants, one at a time, in a folder of its own."""

    def __init__(self, copy: tests.Copy, reached: reach.Reach, folder: Path, quick: bool):
        self.copy, self.reached, self.folder, self.quick = copy, reached, folder, quick
        self.together = tests.Bench(copy, folder / "together", [folder / "schema.o"])
        self.alone = tests.Bench(copy, folder / "alone", [folder / "mutant.o"])
        self.schema: schema.Schema | None = None
        self.killers: collections.Counter[str] = collections.Counter()
        self.tried = 0

    def order(self, mutant: mutants.Mutant) -> list[str]:
        """The module's own comes first, then those that killed last, then the quick ones. None that takes long."""
        reaching = self.reached.tests_of(mutant.file, mutant.reached_at())
        if self.quick or part_of(mutant.file) != "gate":
            reaching = [test for test in reaching if not test.startswith("cli")]
        recent = [test for test in reaching if test in self.killers]
        recent.sort(key=lambda test: (test.startswith("cli"), -self.killers[test]))
        first = [test for test in [f"unit:test_{Path(mutant.file).stem}", *recent[:20]]
                 if self.reached.known.get(test, {}).get("seconds", QUICK) < QUICK]  # fmt: skip
        ordered = [test for test in first if test in reaching] + [test for test in reaching if test not in first]
        return ordered[:QUICK_TESTS] if self.quick else ordered

    def schema_of(self, file: str) -> schema.Schema:
        if self.schema is None or self.schema.file != file:
            self.schema = schema.Schema(self.copy, file, self.folder / "schema.c", self.folder / "schema.o")
            self.together.begin()
            if not self.schema.build():
                print(f"one at a time, since they do not compile together: {file}", flush=True)
        return self.schema

    def bench_of(self, mutant: mutants.Mutant, number: int | None) -> tests.Bench | None:
        """Where the mutant is; None where it does not compile."""
        if number:
            return self.together
        source, text = self.folder / "mutant.c", (self.copy.tree / mutant.file).read_text(encoding="utf-8")
        source.write_text(mutant.apply(text), encoding="utf-8")
        self.alone.begin()
        return self.alone if self.copy.compile(source, self.folder / "mutant.o") == 0 else None

    def judge(self, mutant: mutants.Mutant) -> tuple[str, str]:
        found = self.schema_of(mutant.file)
        number = found.numbers.get(mutant)
        bench = None if mutant in found.broken else self.bench_of(mutant, number)
        if not bench:
            return "not-compiled", "-"
        self.tried += 1
        for test in self.order(mutant):
            if not bench.passes(test, MUTANT=str(number or 0)):
                self.killers[test] = self.tried
                return "killed", test
        return "survived", "-"


def work(copy: tests.Copy, reached: reach.Reach, folder: Path, quick: bool, todo: multiprocessing.Queue,
         done: multiprocessing.Queue) -> None:  # fmt: skip
    worker = Worker(copy, reached, folder, quick)
    while (mutant := todo.get()) is not None:
        done.put((mutant.name(), *worker.judge(mutant)))


def next_result(done: multiprocessing.Queue, workers: list[multiprocessing.Process]) -> tuple[str, str, str]:
    while True:
        try:
            return done.get(timeout=1)
        except queue.Empty:
            if any(worker.exitcode for worker in workers):
                sys.exit("mutate: a worker has ended before its work was done")


def try_all(chosen: list[mutants.Mutant], options: argparse.Namespace, results: Results) -> None:
    copy = tests.Copy(FOLDER)
    copy.fill()
    copy.make()
    reached = reach.Reach(copy, FOLDER / "reach", SOURCES)
    reached.measure()
    todo: multiprocessing.Queue = multiprocessing.Queue()
    done: multiprocessing.Queue = multiprocessing.Queue()
    for mutant in [*chosen, *[None] * options.jobs]:
        todo.put(mutant)
    workers = [multiprocessing.Process(target=work, daemon=True,
                                       args=(copy, reached, FOLDER / f"worker{n}", options.quick, todo, done))
               for n in range(options.jobs)]  # fmt: skip
    for worker in workers:
        worker.start()
    for _ in chosen:
        name, outcome, test = next_result(done, workers)
        results.add(name, outcome, test)
        if outcome == "survived":
            print(f"survived: {name}", flush=True)


def choose(options: argparse.Namespace, explained: dict[str, str]) -> list[mutants.Mutant]:
    """In an order that does not depend on the results."""
    files = [file for file in SOURCES if options.part in (None, part_of(file)) and options.only in (None, file)]
    made = [mutant for file in files for mutant in mutants.mutants(file, (ROOT / file).read_text(encoding="utf-8"))]
    made = [mutant for mutant in made if mutant.key() not in explained]
    if options.conditions:
        made = [mutant for mutant in made if mutant.is_condition()]
    if options.sample is None:
        return made
    return random.Random(options.seed).sample(made, min(options.sample, len(made)))


def check_explained(explained: dict[str, str]) -> None:
    keys = {mutant.key() for file in SOURCES
            for mutant in mutants.mutants(file, (ROOT / file).read_text(encoding="utf-8"))}  # fmt: skip
    stale = [key for key in explained if key not in keys]
    if stale:
        sys.exit("\n".join(f"mutate: {EXPLAINED.name} has what is no mutant (any more): {key}" for key in stale))


def summarize(chosen: list[mutants.Mutant], results: Results) -> bool:
    """Whether nothing survived."""
    clean = True
    for part in PARTS:
        outcomes = [results.known[mutant.name()][0] for mutant in chosen
                    if part_of(mutant.file) == part and mutant.name() in results.known]  # fmt: skip
        count = collections.Counter(outcomes)
        print(f"{part:<9} {len(outcomes):>5} mutants: {count['killed']} killed, {count['survived']} survived, "
              f"{count['not-compiled']} not compiled")  # fmt: skip
        clean = clean and not count["survived"]
    return clean


def main() -> int:
    parser = argparse.ArgumentParser(description="Mutation testing of the resolver, the gate and the quoting.")
    parser.add_argument("--list", action="store_true", help="only list the mutants")
    parser.add_argument("--part", choices=sorted(PARTS))
    parser.add_argument("--only", metavar="FILE", choices=SOURCES)
    parser.add_argument("--conditions", action="store_true", help="only what is asked, the other way round")
    parser.add_argument("--sample", type=int, metavar="N", help="so many of them, by chance")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    parser.add_argument("--quick", action="store_true",
                        help=f"golden cases and unit tests alone, {QUICK_TESTS} at most: the rest is for --again")
    parser.add_argument("--again", action="store_true", help="try again what survived")
    options = parser.parse_args()
    explained = read_explained()
    check_explained(explained)
    chosen = choose(options, explained)
    if options.list:
        print("".join(f"{mutant.name()}\n" for mutant in chosen), end="")
        return 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    os.nice(5)
    results = Results(FOLDER / "results.tsv")
    left = [mutant for mutant in chosen if mutant.name() not in results.known
            or options.again and results.known[mutant.name()][0] == "survived"]  # fmt: skip
    if left:
        try_all(left, options, results)
    return 0 if summarize(chosen, results) else 1


if __name__ == "__main__":
    sys.exit(main())
