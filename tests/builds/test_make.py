#!/usr/bin/env python3
"""A policy in a build by GNU make."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import builds  # noqa: E402


class Make(builds.System):
    name = "make"
    tools = ("make",)
    file = "Makefile"
    nothing = r"make: 'app' is up to date\.\n"
    second = """
main.o: | probes.stamp
probes.stamp:
\tallowc -q -o generated --depfile probes.stamp.d --stamp probes.stamp probes.allow
-include probes.stamp.d
"""

    def command(self, *arguments):
        return ["make", *arguments]


if __name__ == "__main__":
    sys.exit(builds.main(Make()))
