"""Corpora and dictionaries for the fuzz harnesses, made from the golden cases and tests/data.

Nothing is copied into this folder but what a harness found: `seeds/HARNESS/` has those inputs, and they run first.
"""

from __future__ import annotations

import collections
import dataclasses
import hashlib
import re
import shlex
import struct
from pathlib import Path
from typing import Callable, Iterator

import suite

GOLDEN = suite.ROOT / "tests" / "golden"
DATA = suite.ROOT / "tests" / "data"
SEEDS = Path(__file__).resolve().parent / "seeds"

# Longer inputs are not worth their time.
LONGEST = 8 * 1024

WORDS = 400


@dataclasses.dataclass
class Corpus:
    folder: Path
    dictionary: Path
    count: int
    longest: int


def cases() -> list[Path]:
    return sorted(path for path in GOLDEN.iterdir() if path.is_dir())


def texts(pattern: str, folder: Path = GOLDEN) -> Iterator[bytes]:
    for path in sorted(folder.glob(pattern)):
        if path.is_file():
            yield path.read_bytes()


def inputs_of(case: Path) -> dict[str, bytes]:
    """What a case gives to the program, by its path there."""
    files = {}
    for path in sorted(case.rglob("*")):
        name = str(path.relative_to(case))
        if path.is_file() and not name.startswith(("expect", "intent", "args", "bin/")):
            files[name] = path.read_bytes()
    return files


def joined(first: str, files: dict[str, bytes]) -> bytes:
    """The files as input.h cuts them: `first` in its place, each other behind a line with its path."""
    parts = [files[first]]
    for name, text in files.items():
        if name != first:
            line_end = b"" if not parts[-1] or parts[-1].endswith(b"\n") else b"\n"
            parts.append(line_end + b"=== " + name.encode() + b"\n" + text)
    return b"".join(parts)


# ---- a function a harness


def policy() -> Iterator[bytes]:
    yield from texts("*/*.allow")
    yield from texts("*/*/*.allow")


def layers() -> Iterator[bytes]:
    for case in cases():
        files = inputs_of(case)
        if "policy.allow" in files:
            yield joined("policy.allow", files)


def adr() -> Iterator[bytes]:
    folders = (GOLDEN.glob("*/adr/**/*.*"), DATA.glob("adr-*/*.*"), (suite.ROOT / "adr").glob("phase*/*.md"))
    for found in folders:
        for path in sorted(found):
            if path.is_file() and path.suffix != ".tsv":
                yield path.name.encode() + b"\n" + path.read_bytes()


def manifest() -> Iterator[bytes]:
    for text in (*texts("manifests/**/*.yaml", DATA), *texts("**/plugin.yaml")):
        for wish in (b"docker dive\n-\n", b"\ngit\n", b"git yes docker\nnull 1.0\n"):
            yield wish + text


def region() -> Iterator[bytes]:
    for case in cases():
        for name, text in inputs_of(case).items():
            found = re.search(rb"allowc:begin +(\S+)", text)
            if found and not name.endswith(".allow"):
                yield text + b"\n=== " + found[1] + b"\nallow a\n\n  allow b\n"


def interpret() -> Iterator[bytes]:
    data = struct.pack("<IIQ6Q", 101, 0xC000003E, 0x1122334455667788, 1, 2, 3, 4, 1 << 40, 0xFEDCBA9876543210)
    for program in texts("*/expect/*.bpf"):
        yield data + program


def compared(case: Path) -> tuple[str, str] | None:
    """OLD and NEW of a case of diff or gate, both files of it."""
    words = (case / "args").read_text(encoding="utf-8").split() if (case / "args").exists() else []
    names = [word for word in words if (case / word).is_file()]
    return (names[0], names[1]) if words[:1] in (["diff"], ["gate"]) and len(names) == 2 else None


def diff() -> Iterator[bytes]:
    for case in cases():
        names, files = compared(case), inputs_of(case)
        if names:
            yield b"\n### NEW\n".join(joined(name, files) for name in names)
        elif "policy.allow" in files:
            both = joined("policy.allow", files)
            yield both + b"\n### NEW\n" + both


def condition() -> Iterator[bytes]:
    arguments = struct.pack("<6Q", 1, 2, 3, 1 << 40, 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF)
    for text in layers():
        if re.search(rb"syscall|CAP_", text):
            yield arguments + text


def import_files(case: Path) -> list[bytes]:
    """What a case of `import` reads, each behind a line with its path."""
    skipped = (".allow", ".md")
    return [b"=== " + name.encode() + b"\n" + text.removesuffix(b"\n")
            for name, text in inputs_of(case).items() if not name.endswith(skipped)]  # fmt: skip


def imported() -> Iterator[bytes]:
    """The names of --symbol, then files: those of a case, each by itself, and each beside the one before."""
    before = b""
    for case in cases():
        if not case.name.startswith("import"):
            continue
        words = shlex.split((case / "args").read_text(encoding="utf-8"))
        symbols = " ".join(words[at + 1] for at, word in enumerate(words) if word == "--symbol").encode()
        files = import_files(case)
        yield b"\n".join([symbols, *files])
        for file in files:
            yield symbols + b"\n" + file
            yield b"\n".join([symbols, before, file])
            before = file


def saved() -> Iterator[bytes]:
    yield from texts("*/expect/*.json")
    yield from texts("*/*.json")


MAKERS: dict[str, Callable[[], Iterator[bytes]]] = {
    "policy": policy, "fmt": policy, "layers": layers, "adr": adr, "manifest": manifest, "region": region,
    "interpret": interpret, "diff": diff, "condition": condition, "saved": saved,
    "import": imported,
}  # fmt: skip


# ---- dictionaries: what stands in many inputs


def quoted(word: bytes) -> str:
    return "".join(chr(c) if 0x20 <= c < 0x7F and c not in b'"\\' else f"\\x{c:02x}" for c in word)


def dictionary_write(path: Path, items: list[bytes]) -> None:
    counts: collections.Counter[bytes] = collections.Counter()
    for item in items:
        counts.update({word for word in re.findall(rb"[^\s]+", item) if 2 <= len(word) <= 32})
    words = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:WORDS]
    path.write_text("".join(f'"{quoted(word)}"\n' for word, _ in words), encoding="ascii")


def make(name: str, folder: Path) -> Corpus:
    """Writes the corpus below the folder: each input under its hash, so that equal ones are one."""
    items = sorted({item for item in MAKERS[name]() if len(item) <= LONGEST})
    if not items:
        suite.fail(f"no golden case gives {name} an input: nothing would be tried but noise")
    items += [path.read_bytes() for path in sorted((SEEDS / name).glob("*"))]
    inputs = folder / "corpus"
    inputs.mkdir()
    for item in items:
        (inputs / hashlib.sha256(item).hexdigest()[:16]).write_bytes(item)
    dictionary = folder / "dictionary"
    dictionary_write(dictionary, items)
    return Corpus(inputs, dictionary, len(items), LONGEST)
