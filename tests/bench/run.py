#!/usr/bin/env python3
"""How fast allowc is: every figure a ratio, or beside a peer that ran in turns with it.

    tests/bench/run.py [--rounds N] [--rows N]

The machine's own speed drops out: the programs of a table run in turns, and their medians are compared.
A row's time is that of the processor (user and system), which the neighbours of a busy machine lengthen
least; the time that passed stands beside it. Memory is the most that a run had at any time. A target that is
missed is marked; the exit status stays 0.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable

ROOT = Path(__file__).resolve().parent.parent.parent
ALLOWC = os.environ.get("ALLOWC", str(ROOT / "build" / "allowc"))
QUIET = [(os.POSIX_SPAWN_OPEN, descriptor, os.devnull, os.O_RDWR, 0) for descriptor in (0, 1, 2)]


def nothing() -> None:
    pass


@dataclasses.dataclass
class Contender:
    name: str
    words: list[str]
    before: Callable[[], None] = nothing  # not timed
    seconds: list[float] = dataclasses.field(default_factory=list)
    busy: list[float] = dataclasses.field(default_factory=list)  # of the processor, user and system
    memory: list[int] = dataclasses.field(default_factory=list)  # at its peak, bytes

    def median(self) -> float:
        return statistics.median(self.seconds)

    def median_busy(self) -> float:
        return statistics.median(self.busy)

    def median_memory(self) -> float:
        return statistics.median(self.memory)

    def forget(self) -> None:
        for figures in (self.seconds, self.busy, self.memory):
            figures.clear()


def run_once(contender: Contender) -> None:
    contender.before()
    start = time.perf_counter()
    child = os.posix_spawn(contender.words[0], contender.words, os.environ, file_actions=QUIET)
    _, status, usage = os.wait4(child, 0)
    contender.seconds.append(time.perf_counter() - start)
    contender.busy.append(usage.ru_utime + usage.ru_stime)
    contender.memory.append(usage.ru_maxrss * 1024)
    if status != 0:
        code = os.waitstatus_to_exitcode(status)
        sys.exit(f"bench: {' '.join(contender.words)} failed (exit status {code})")


def race(contenders: list[Contender], rounds: int) -> None:
    """In turns, after one round that warms the caches and is not counted."""
    for number in range(rounds + 1):
        for contender in contenders:
            run_once(contender)
            if number == 0:
                contender.forget()


def line(name: str, value: str, ratio: str, target: str = "", missed: bool = False) -> None:
    print(f"  {name:36} {value:>12} {ratio:>12}   {target}{'   MISSED' if missed else ''}")


def start_up(folder: Path, rounds: int) -> None:
    """A small policy, in total, beside a program that does nothing."""
    policy, out = str(ROOT / "policies" / "phase7.allow"), folder / "out"
    true = Contender("/bin/true", ["/bin/true"])
    unchanged = Contender("allowc, nothing changed", [ALLOWC, "-o", str(folder / "same"), policy])
    written = Contender("allowc, all written", [ALLOWC, "-o", str(out), policy],
                        lambda: shutil.rmtree(out, ignore_errors=True))  # fmt: skip
    race([true, unchanged, written], rounds)
    print("phase7.allow in total")
    line(true.name, f"{true.median() * 1e3:.2f} ms", "1.00")
    for contender, most in ((unchanged, 2), (written, 4)):
        ratio = contender.median() / true.median()
        value = f"{contender.median() * 1e3:.2f} ms"
        line(contender.name, value, f"{ratio:.2f}", f"at most {most}", ratio > most)


def generate(path: Path, rows: int) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write("policy generated\n")
        for number in range(rows):
            file.write(f'allow cmd{number} adr 0001 because "reason number {number} of many"\n')


def bare_parsers(folder: Path) -> list[list[str]]:
    """Flex alone, and flex with bison, over the same rows: what no check at all costs."""
    bench = ROOT / "tests" / "bench"
    subprocess.run(["bison", f"--header={folder}/bare.tab.h", f"--output={folder}/bare.tab.c",
                    bench / "bare.y"], check=True)  # fmt: skip
    subprocess.run(["flex", f"--outfile={folder}/bare.lex.c", bench / "bare.l"], check=True)
    compile_both = [os.environ.get("CC", "cc"), "-O2", "-w", f"-I{folder}", f"{folder}/bare.tab.c",
                    f"{folder}/bare.lex.c"]  # fmt: skip
    scan, parse = str(folder / "scan"), str(folder / "parse")
    subprocess.run([*compile_both, "-DSCAN_ONLY", "-o", scan], check=True)
    subprocess.run([*compile_both, "-o", parse], check=True)
    return [[scan], [parse]]


def nft_rules(path: Path, rows: int) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write("table inet generated {\n chain input {\n")
        for number in range(rows):
            file.write(f"  tcp dport {number % 65535 + 1} accept\n")
        file.write(" }\n}\n")


def nft_set(path: Path, rows: int) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write("table inet generated {\n set addresses {\n  type ipv4_addr\n  elements = {\n")
        file.writelines(f"   10.{row >> 16 & 255}.{row >> 8 & 255}.{row & 255},\n" for row in range(rows))
        file.write("  }\n }\n}\n")


def apparmor_profile(path: Path, rows: int) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write("profile generated {\n")
        file.writelines(f"  /usr/bin/cmd{row} r,\n" for row in range(rows))
        file.write("}\n")


def gperf_keys(path: Path, rows: int) -> None:
    path.write_text("".join(f"cmd{row}\n" for row in range(rows)), encoding="utf-8")


def kafel_rules(path: Path, rows: int) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write("POLICY generated {\n ALLOW {\n")
        for number in range(rows):
            file.write(f"  SYSCALL[{number % 1000}],\n")
        file.write("  read\n }\n}\nUSE generated DEFAULT KILL\n")


def other_languages(folder: Path, rows: int) -> list[Contender]:
    """Compilers of other rule languages, where they are installed."""
    found = []
    for name, options, write in (("nft", ["-c", "-f"], nft_rules), ("dump_policy_bpf", [], kafel_rules)):
        program = shutil.which(name)
        if not program:
            print(f"  {name} is not installed: no figure")
            continue
        rules = folder / f"{rows}" / f"rules.{name}"
        write(rules, rows)
        found.append(Contender(f"{name} {' '.join(options)}", [program, *options, str(rules)]))
    return found


# What checks lists, how many entries of it, and why not as many as of the others.
PEERS = (
    ("nft", ["-c", "-f"], nft_set, 100_000, "elements of a set"),
    ("apparmor_parser", ["-Q", "-K"], apparmor_profile, 2_000, "path rules, into their automaton"),
    ("gperf", [], gperf_keys, 2_000, "keys; its time grows with their square"),
)


def peers_race(folder: Path, rounds: int) -> None:
    """Programs that compile lists of other kinds, per entry: what each makes of one is its own affair."""
    rows = 100_000
    folder = folder / "peers"
    folder.mkdir()
    policy, out = folder / "generated.allow", folder / "out"
    generate(policy, rows)
    ours = Contender("allowc check", [ALLOWC, "check", str(policy)])
    all_written = Contender("allowc, all artifacts written", [ALLOWC, "-o", str(out), str(policy)],
                            lambda: shutil.rmtree(out, ignore_errors=True))  # fmt: skip
    contenders, counts, notes = [ours, all_written], [rows, rows], ["rows", "rows"]
    subprocess.run([ALLOWC, "-q", "--emit", "json", "-o", str(folder / "json"), str(policy)], check=True,
                   stderr=subprocess.DEVNULL)  # fmt: skip
    for name, options, write, count, note in PEERS:
        program = shutil.which(name, path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin")
        if not program:
            print(f"  {name} is not installed: no figure")
            continue
        entries = folder / f"entries.{name}"
        write(entries, count)
        contenders.append(Contender(f"{name} {' '.join(options)}", [program, *options, str(entries)]))
        counts.append(count)
        notes.append(note)
    jq = shutil.which("jq")
    if jq:
        contenders.append(Contender("jq . of the json artifact", [jq, ".", str(folder / "json" / "generated.json")]))
        counts.append(rows)
        notes.append("rows")
    race(contenders, rounds)
    print("µs an entry, of the processor, beside other compilers of lists")
    base = ours.median_busy() / rows
    for contender, count, note in zip(contenders, counts, notes):
        each = contender.median_busy() / count
        line(contender.name, f"{each * 1e6:.2f}", f"{each / base:.2f}", f"{count:,} {note}")


def rows_line(contender: Contender, base: Contender, rows: int, most: float) -> None:
    micro, busy = contender.median() / rows * 1e6, contender.median_busy() / rows * 1e6
    target = f"at most {most} µs a row" if most else ""
    ratio = f"{contender.median_busy() / base.median_busy():.2f}"
    line(contender.name, f"{micro:.2f} ({busy:.2f})", ratio, target, bool(most) and busy > most)


# From so many rows on: µs a row that `check` and all artifacts may take.
ROWS_TARGETS = ((1_000_000, 1.5, 3.5), (0, 2, 4))
LAYOUT_TARGET = 4


def is_hidden(contender: Contender) -> bool:
    """Whether its memory is no more than the kernel counts for any child of this process, which begins as a copy."""
    true = Contender("/bin/true", ["/bin/true"])
    run_once(true)
    return contender.median_memory() < 1.1 * true.median_memory()


def memory_lines(contenders: list[Contender], rows: int, size: int) -> None:
    print(f"{rows:,} rows; memory at its peak: bytes a row, and × the source")
    for contender in contenders:
        peak = contender.median_memory()
        hidden = "or less: so much has the bench itself" if is_hidden(contender) else ""
        line(contender.name, f"{peak / rows:.0f}", f"{peak / size:.1f}", hidden)


def growth_line(name: str, small: float, large: float) -> None:
    line(name, "", f"{large / small:.1f}", "at most 11", large / small > 11)


def growth_lines(few: list[Contender], many: list[Contender], rounds: int) -> None:
    """Both sizes in turns: the machine is not as fast all along, and their own tables are minutes apart."""
    for contender in few + many:
        contender.forget()
    race([contender for pair in zip(few, many) for contender in pair], rounds)
    print("ten times the rows, the processor's time")
    for small, large in zip(few, many):
        growth_line(small.name, small.median_busy(), large.median_busy())
    print("ten times the rows, memory")
    for small, large in zip(few, many):
        if is_hidden(small):
            line(small.name, "", "", "cannot be told from so few rows")
        else:
            growth_line(small.name, small.median_memory(), large.median_memory())


def rows_race(folder: Path, rows: int, rounds: int, peers: bool) -> list[Contender]:
    """One size of policy. Returns `check`, all artifacts, and a new layout, with their figures."""
    policy, out = folder / f"{rows}" / "generated.allow", folder / f"{rows}" / "out"
    policy.parent.mkdir()
    generate(policy, rows)
    scan, parse = ([*words, str(policy)] for words in bare_parsers(folder))
    flex, bison = Contender("flex alone", scan), Contender("flex and bison, bare", parse)
    check = Contender("allowc check", [ALLOWC, "check", str(policy)])
    compile_all = Contender("allowc, all artifacts written", [ALLOWC, "-o", str(out), str(policy)],
                            lambda: shutil.rmtree(out, ignore_errors=True))  # fmt: skip
    loose = policy.with_name("loose.allow")
    layout = Contender("allowc fmt, every line written", [ALLOWC, "fmt", str(loose)],
                       lambda: shutil.copyfile(policy, loose))  # fmt: skip
    print(f"{rows:,} rows, {policy.stat().st_size / 1e6:.1f} MB; µs a row, in brackets the processor's")
    others = other_languages(folder, rows) if peers else []
    race([flex, bison, check, compile_all, layout, *others], rounds)
    check_most, compile_most = next(most for least, *most in ROWS_TARGETS if rows >= least)
    for contender, most in ((flex, 0), (bison, 0), (check, check_most), (compile_all, compile_most),
                            (layout, LAYOUT_TARGET)):  # fmt: skip
        rows_line(contender, bison, rows, most)
    for other in others:
        rows_line(other, bison, rows, 0)
    memory_lines([check, compile_all, layout], rows, policy.stat().st_size)
    return [check, compile_all, layout]


def adrs_write(folder: Path, count: int) -> None:
    """Of 20 kB each: prose with code spans and links, a list, a fence; every tenth supersedes the one before."""
    paragraph = "It was said that `tool` and `docker buildx` are needed, see [the notes](0001-t.md) of that day.\n"
    for number in range(1, count + 1):
        superseded = number % 10 == 9
        old = number % 10 == 0
        text = f"# {number}. Title\n\nDate: 2026-05-19\n\n## Status\n\n"
        text += f"Superseded by [next]({number + 1:04}-t.md)\n" if superseded else "Accepted\n"
        text += f"\nSupersedes [last]({number - 1:04}-t.md)\n" if old else ""
        text += "\n## Context\n\n"
        while len(text) < 20_000:
            text += paragraph * 8 + "\n- an item\n- another\n\n```sh\ntool --all | jq .\n```\n\n"
        (folder / f"{number:04}-t.md").write_text(text, encoding="utf-8")


def adrs_race(folder: Path, rounds: int) -> None:
    """Reading ADRs, beside reading their bytes."""
    adrs = folder / "adrs"
    adrs.mkdir()
    adrs_write(adrs, 1000)
    cat = Contender("cat", ["/bin/cat", *map(str, sorted(adrs.iterdir()))])
    listed = Contender("allowc adr list", [ALLOWC, "adr", "list", str(adrs)])
    checked = Contender("allowc adr check", [ALLOWC, "adr", "check", str(adrs)])
    race([cat, listed, checked], rounds)
    print("1,000 ADRs of 20 kB; in brackets the processor's time")
    for contender, most in ((cat, 0), (listed, 3), (checked, 0)):
        value = f"{contender.median() * 1e3:.1f} ({contender.median_busy() * 1e3:.1f}) ms"
        ratio = contender.median() / cat.median()
        line(contender.name, value, f"{ratio:.2f}", f"at most {most}" if most else "", bool(most) and ratio > most)


def main() -> int:
    parser = argparse.ArgumentParser(description="how fast allowc is, beside its peers")
    parser.add_argument("--rounds", type=int, default=200, help="of the small policy; the large have fewer")
    parser.add_argument("--rows", type=int, default=100_000)
    options = parser.parse_args()
    # All on one processor: a run that is moved to another begins there with cold caches, a tenth slower.
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(f"  {'':36} {'median':>12} {'ratio':>12}   target")
    with tempfile.TemporaryDirectory(prefix="allowc-bench-") as name:
        folder = Path(name)
        start_up(folder, options.rounds)
        adrs_race(folder, max(3, options.rounds // 10))
        peers_race(folder, max(3, options.rounds // 60))
        few = rows_race(folder, options.rows, max(3, options.rounds // 20), True)
        many = rows_race(folder, options.rows * 10, max(3, options.rounds // 60), False)
        growth_lines(few, many, max(5, options.rounds // 40))
    return 0


if __name__ == "__main__":
    sys.exit(main())
