#!/usr/bin/env python3
"""A policy in a build by CMake, with Makefiles and with Ninja."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import builds  # noqa: E402
import suite  # noqa: E402

PACKAGE = suite.ROOT / "packaging" / "cmake"


class CMake(builds.System):
    tools = ("cmake",)
    file = "CMakeLists.txt"
    output = "build/generated"
    second = "allowc_generate(TARGET probes_policy POLICY probes.allow)\n"
    generator = "Unix Makefiles"

    def configure(self):
        options = [f"-Dallowc_DIR={PACKAGE}", f"-DALLOWC_EXECUTABLE={self.allowc}"]
        suite.run(["cmake", "-G", self.generator, "-S", ".", "-B", "build", *options],
                  environment=self.environment, cwd=self.root)  # fmt: skip

    def command(self, *arguments):
        return ["cmake", "--build", "build", *arguments]


class Makefiles(CMake):
    name = "CMake, Makefiles"
    tools = ("cmake", "make")
    nothing = r"(\[ *\d+%\] Built target \w+\n)+"
    restores = False


class Ninja(CMake):
    name = "CMake, Ninja"
    tools = ("cmake", "ninja")
    generator = "Ninja"


def edited_header_fails_ctest():
    """The recipe's own test."""
    suite.need("ctest", "cc")
    system = Ninja()
    system.settle()
    ctest = ["ctest", "--test-dir", "build", "--output-on-failure"]
    suite.run(ctest, environment=system.environment, cwd=system.root)
    header = system.artifacts() / "tools.h"
    header.write_text(header.read_text() + "/* by hand */\n")
    told = suite.run(ctest, expect=8, environment=system.environment, cwd=system.root).stdout
    if "edited" not in told:
        suite.fail(f"'edited' is not in:\n{told}")


if __name__ == "__main__":
    tests = [*builds.tests(Makefiles()), *builds.tests(Ninja())]
    sys.exit(suite.main([*tests, ("CMake: an edited header fails the recipe's test", edited_header_fails_ctest)]))
