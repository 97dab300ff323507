#!/usr/bin/env python3
"""A policy in a build by ninja."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import builds  # noqa: E402


class Ninja(builds.System):
    name = "ninja"
    tools = ("ninja",)
    file = "build.ninja"
    second = """
build probes.stamp | generated/probes.h generated/probes.seccomp.h: allowc
  policy = probes.allow
"""

    def command(self, *arguments):
        return ["ninja", *arguments]


if __name__ == "__main__":
    sys.exit(builds.main(Ninja()))
