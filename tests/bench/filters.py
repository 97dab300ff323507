#!/usr/bin/env python3
"""Filters beside libseccomp's: instructions, executed on average and at most, ns a call in the kernel.

Usage: filters.py [ROUNDS]     in the environment: ALLOWC_BUILD, the folder that holds liballowc.a

Counts are exact. Of times only the ratios say something, and differences between trees are below the noise.
"""

import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("ALLOWC_BUILD", ROOT / "build"))


def libraries():
    command = ["pkg-config", "--libs", "libseccomp", "yaml-0.1", "nettle", "jansson"]
    return shlex.split(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main():
    with tempfile.TemporaryDirectory(prefix="allowc-bench-") as folder:
        program = pathlib.Path(folder) / "filters"
        compiler = shlex.split(os.environ.get("CC", "cc"))
        flags = ["-std=c11", "-D_GNU_SOURCE", "-O2", f"-I{ROOT}", f"-I{BUILD}"]
        source = ROOT / "tests" / "bench" / "filters.c"
        subprocess.run([*compiler, *flags, source, BUILD / "liballowc.a", *libraries(), "-o", program], check=True)
        return subprocess.run([program, *sys.argv[1:]], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
