#!/usr/bin/env python3
"""A policy in a build by Meson."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import builds  # noqa: E402
import suite  # noqa: E402


class Meson(builds.System):
    name = "Meson"
    tools = ("meson", "ninja")
    file = "meson.build"
    output = "build"
    builds_after_edit = 2  # ninja forgets the inputs of an output that is newer than the run that wrote it
    second = """
custom_target('probes',
  input: 'probes.allow',
  output: ['probes.h', 'probes.seccomp.h'],
  depfile: 'probes.d',
  build_by_default: true,
  command: [find_program('allowc'), '-q', '-o', '@OUTDIR@', '--depfile', '@DEPFILE@', '@INPUT@'])
"""

    def configure(self):
        suite.run(["meson", "setup", "build"], environment=self.environment, cwd=self.root)

    def command(self, *arguments):
        return ["ninja", "-C", "build", *arguments]


if __name__ == "__main__":
    sys.exit(builds.main(Meson()))
