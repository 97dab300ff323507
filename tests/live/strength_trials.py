"""What the trials of strength share: phase7's artifacts, filters of a row or two, and strength.c to run programs."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path

import suite

SOURCE = Path(__file__).resolve().parent / "strength.c"
QUIET = ("-Wno-adr-unchecked", "-Wno-incomplete-group", "-Wno-reason", "-Wno-capability-unseen")


class Trials:
    def __init__(self, folder: Path):
        self.folder = folder
        suite.compile_policy("policies/phase7.allow", folder, "--emit", "all", "-Wno-oci-replaces-default")
        self.binary = folder / "strength"
        suite.run([*shlex.split(os.environ.get("CC", "cc")), "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-I", folder,
                   SOURCE, "-o", self.binary])  # fmt: skip

    def run(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        return suite.run([self.binary, *words], expect=None)

    def filter_of(self, name: str, *rows: str) -> Path:
        path = self.folder / f"{name}.allow"
        text = "".join(f'{row}  adr 1  because "a trial"\n' for row in rows)
        path.write_text(f"policy {name}\n{text}", encoding="utf-8")
        suite.compile_policy(path, self.folder, "--emit", "bpf,json", *QUIET)
        return self.folder / f"{name}.bpf"

    def claim(self, name: str, index: int = 0, artifact: str = "bpf") -> tuple[str, str]:
        """Strength and caveat of one of a policy's rows, as the json artifact has them."""
        row = json.loads((self.folder / f"{name}.json").read_text(encoding="utf-8"))["rows"][index]
        return row["strength"][artifact], row.get("caveat", "")
