#!/usr/bin/env python3
"""The package for CMake: its arguments, its installation, and the paths that CMake can follow."""

import re
import shutil
import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import builds  # noqa: E402
import suite  # noqa: E402

PACKAGE = suite.ROOT / "packaging" / "cmake"
HEAD = "cmake_minimum_required(VERSION 3.20)\nproject(app NONE)\n"


class Project:
    """Files without a compiler: quick to configure."""

    def __init__(self, folder, files, generator="Unix Makefiles"):
        suite.need("cmake", "make", "ninja")
        self.folder, self.generator = folder, generator
        environment = {name: value for name, value in suite.ENVIRONMENT.items() if not name.startswith("MAKE")}
        self.environment = environment
        for name, text in (builds.SOURCES | files).items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def configure(self, *options, expect=0, package=PACKAGE, program=suite.ALLOWC, build="build"):
        named = [f"-Dallowc_DIR={package}"] if package else []
        named += [f"-DALLOWC_EXECUTABLE={program}"] if program else []
        done = suite.run(["cmake", "-G", self.generator, "-S", ".", "-B", build, *named, *options], expect=expect,
                         environment=self.environment, cwd=self.folder)  # fmt: skip
        return one_line(done.stderr)

    def build(self, *arguments, expect=0):
        done = suite.run(["cmake", "--build", "build", *arguments], expect=expect, environment=self.environment,
                         cwd=self.folder)  # fmt: skip
        return one_line(done.stdout + done.stderr)


def one_line(text):
    """CMake breaks its messages where it likes."""
    return " ".join(text.split())


def has(text, part):
    if part not in text:
        suite.fail(f"{part!r} is not in: {text}")


def generate(more="", policy="tools.allow", package="allowc REQUIRED"):
    call = f"allowc_generate(TARGET tools_policy POLICY [[{policy}]] {more})"
    return {"CMakeLists.txt": f"{HEAD}find_package({package})\n{call}\n"}


def artifacts_and_options():
    with suite.scratch() as folder:
        project = Project(folder, generate("EMIT names json OUTPUT_DIR [[of policy]] OPTIONS -Wno-reason"))
        project.configure()
        project.build()
        suite.same("artifacts", sorted(path.name for path in (folder / "build" / "of policy").iterdir()),
                   ["tools.json", "tools.names", "tools.sha256"])  # fmt: skip


def other_artifacts_by_the_stamp():
    """A command that reads an artifact which is no header."""
    more = '''EMIT names)
add_custom_command(OUTPUT copy DEPENDS "$<TARGET_PROPERTY:tools_policy,ALLOWC_STAMP>"
    COMMAND "${CMAKE_COMMAND}" -E copy generated/tools.names copy)
add_custom_target(all_copies ALL DEPENDS copy'''
    for generator in ("Unix Makefiles", "Ninja"):
        with suite.scratch() as folder:
            project = Project(folder, generate(more), generator)
            project.configure()
            project.build()
            suite.same("names", (folder / "build/copy").read_text(), "git\ndocker\n")
            suite.tick(folder)
            (folder / "base.allow").write_text(builds.BASE + 'allow jq  adr 0001  because "reads"\n')
            project.build()
            suite.same("names", (folder / "build/copy").read_text(), "git\njq\ndocker\n")


def another_name_in_the_policy():
    """The header's name changes with it: CMake asks again."""
    with suite.scratch() as folder:
        project = Project(folder, generate(), "Ninja")
        project.configure()
        project.build()
        suite.tick(folder)
        (folder / "tools.allow").write_text(builds.TOOLS.replace("policy tools", "policy other"))
        project.build()
        suite.same("the header", (folder / "build/generated/other.h").is_file(), True)
        has(project.build(), "ninja: no work to do.")


def consumers_in_other_folders():
    """The target is what other folders link to."""
    suite.need("cc")
    files = {
        "CMakeLists.txt": HEAD.replace("NONE", "C") + "find_package(allowc REQUIRED)\n"
                          "add_subdirectory(rules)\nadd_subdirectory(app)\n",
        "rules/CMakeLists.txt": "allowc_generate(TARGET tools_policy POLICY ../tools.allow)\n",
        "app/CMakeLists.txt": "add_executable(app ../main.c ../lookup.c ../filter.c)\n"
                              "target_link_libraries(app tools_policy)\n",
    }  # fmt: skip
    for generator in ("Unix Makefiles", "Ninja"):
        with suite.scratch() as folder:
            project = Project(folder, files, generator)
            project.configure()
            project.build("-j4")
            suite.run([folder / "build/app/app"])


def misspelt(more, message):
    with suite.scratch() as folder:
        has(Project(folder, generate(more)).configure(expect=1), message)


def broken_policy():
    """allowc's own words, unbroken."""
    with suite.scratch() as folder:
        project = Project(folder, generate() | {"tools.allow": "policy tools\nalow git\n"})
        told = project.configure(expect=1)
        has(told, "tools.allow:2:1: error: ")
        has(told, "allowc_generate: allowc cannot say what")


def missing_policy():
    with suite.scratch() as folder:
        told = Project(folder, generate(policy="none.allow")).configure(expect=1)
        has(told, "none.allow': No such file or directory")


def installed():
    """Below DESTDIR, found by its prefix, with its version."""
    with suite.scratch() as folder:
        build = folder / "build"  # of its own: make would build the program anew for another name of the same folder
        build.mkdir()
        shutil.copy(suite.ALLOWC, build / "allowc")
        tables = build / "packaging" / "completions" / "tables.tsv"
        tables.parent.mkdir(parents=True)
        tables.touch()
        make = ["make", "-C", suite.ROOT, "install", "DEPENDENCIES=:", f"BUILD={build}", "-o", build / "allowc", "-o", tables,
                f"DESTDIR={folder}/stage", "PREFIX=/opt/allowc"]  # fmt: skip
        environment = {name: value for name, value in suite.ENVIRONMENT.items() if not name.startswith("MAKE")}
        suite.run(make, environment=environment)
        prefix = folder / "stage" / "opt" / "allowc"
        suite.same("files", sorted(path.name for path in (prefix / "share/cmake/allowc").iterdir()),
                   sorted(path.name for path in PACKAGE.iterdir()))  # fmt: skip
        version = suite.run([prefix / "bin/allowc", "--version"]).stdout.split()[1]
        for asked, found in ((version, True), (f"{version} EXACT", True), ("0.0.1", True), ("0.0.1...99", True),
                             ("99", False), ("0.0.1 EXACT", False), ("0.0.1...0.0.2", False)):  # fmt: skip
            project = Project(folder / "project", generate(package=f"allowc {asked} REQUIRED"))
            shutil.rmtree(folder / "project" / "build", ignore_errors=True)
            told = project.configure(f"-DCMAKE_PREFIX_PATH={prefix}", package=None, program=None, expect=None)
            suite.same(f"messages for {asked}", "Could not find" in told, not found)
        project = Project(folder / "project", generate())
        project.configure(f"-DCMAKE_PREFIX_PATH={prefix}", package=None, program=None)
        project.build()
        suite.same("the header", (folder / "project/build/generated/tools.h").is_file(), True)


def program_is_missing():
    with suite.scratch() as folder:
        shutil.copytree(PACKAGE, folder / "a" / "packaging" / "cmake")
        project = Project(folder / "project", generate())
        told = project.configure(package=folder / "a/packaging/cmake", program=None, expect=1)
        has(told, "no program 'allowc'")


# ---- paths: what can be followed is; at all else the build stops, so that no change goes unseen ----

FOLLOWED = {
    "Unix Makefiles": "a bö(c)%=@~+,!{}#$'&<>`^",
    "Ninja": "a bö(c)%=@~+,!{}",
}
REFUSED = {
    "Unix Makefiles": ':;|"\\*?[' + "\t",
    "Ninja": ":;|\"\\*?<>#$&'`^\t",
}


def is_followed(generator):
    """A policy, a layer and a folder of ADRs by that name: a change of each runs allowc, once."""
    name = FOLLOWED[generator]
    with suite.scratch() as folder:
        project = Project(folder, generate(policy=f"{name}.allow") | {
            f"{name}.allow": builds.TOOLS.replace("extends base", f'extends "{name}2.allow"'),
            f"{name}2.allow": builds.BASE.replace('"adr"', f'"{name}"'),
            f"{name}/0001-tools.md": builds.ADR,
        }, generator)  # fmt: skip
        project.configure()
        project.build()
        stamp = folder / "build/tools_policy.stamp"
        for path in (f"{name}.allow", f"{name}2.allow", f"{name}/0001-tools.md", None):
            before = stamp.stat().st_mtime_ns
            suite.tick(folder)
            if path:
                (folder / path).touch()
            project.build()
            suite.same(f"another run, after a change of {path}", stamp.stat().st_mtime_ns != before, path is not None)


def refusal(generator, path, sign):
    return one_line(f"allowc: with {generator}, CMake cannot follow '{path}': give it a name without '{sign}'")


def is_refused(generator, sign):
    """The step after allowc, with a depfile by allowc."""
    suite.need("cmake")
    with suite.scratch() as folder:
        name = f"a{sign}b.allow"
        quoted = re.sub(r'(["\\])', r"\\\1", name).replace("\t", "\\t")
        (folder / name).write_text("policy low\n")
        (folder / "p.allow").write_text(f'policy p\nextends "{quoted}"\n')
        depfile, stamp, remembered = folder / "d", folder / "stamp", folder / "remembered"
        suite.compile_policy(folder / "p.allow", folder / "out", "-Wno-adr-unchecked", "--emit", "names", "--depfile",
                             str(depfile), "--stamp", str(stamp))  # fmt: skip
        remembered.touch()
        told = {"GENERATOR": generator, "DEPFILE": depfile, "STAMP": stamp, "REMEMBERED": remembered}
        options = [f"-D{key}={value}" for key, value in told.items()]
        done = suite.run(["cmake", *options, "-P", PACKAGE / "allowc-depfile.cmake"], expect=1)
        has(one_line(done.stderr), refusal(generator, folder / name, sign))
        suite.same("a stamp", stamp.exists(), False)


def layer_stops_the_build(generator):
    """As often as it is tried."""
    with suite.scratch() as folder:
        project = Project(folder, generate() | {
            "tools.allow": builds.TOOLS.replace("extends base", 'extends "co:lon.allow"'),
            "co:lon.allow": builds.BASE,
        }, generator)  # fmt: skip
        project.configure()
        for _ in range(2):
            has(project.build(expect=None), refusal(generator, folder / "co:lon.allow", ":"))


def argument_stops_cmake(generator):
    """Before anything is built."""
    with suite.scratch() as folder:
        project = Project(folder, generate(policy="semi;colon.allow") | {"semi;colon.allow": builds.TOOLS}, generator)
        has(project.configure(expect=1), refusal(generator, folder / "semi;colon.allow", ";"))
        (folder / "CMakeLists.txt").write_text(generate("OUTPUT_DIR co:lon")["CMakeLists.txt"])
        has(project.configure(expect=1), refusal(generator, folder / "build/co:lon", ":"))


def documented(generator):
    """The row of the page says which signs."""
    row = re.search(rf"^\| {generator} \| `(.*?)`(.*)", builds.PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    signs = row[1].replace("\\|", "|").replace(" ", "") + "`" * ("backquote" in row[2]) + "\t" * ("tab" in row[2])
    suite.same("signs", sorted(signs), sorted(REFUSED[generator]))


def tests():
    every = [
        ("CMake: artifacts, folder and options", artifacts_and_options),
        ("CMake: another artifact by the stamp", other_artifacts_by_the_stamp),
        ("CMake: another name in the policy", another_name_in_the_policy),
        ("CMake: consumers in other folders", consumers_in_other_folders),
        ("CMake: an unknown argument",
         partial(misspelt, "OUTPUT_DIRS x", "allowc_generate: unknown argument 'OUTPUT_DIRS;x'")),
        ("CMake: an argument without a value", partial(misspelt, "EMIT", "allowc_generate: nothing follows 'EMIT'")),
        ("CMake: a policy that does not parse", broken_policy),
        ("CMake: a policy that is not there", missing_policy),
        ("CMake: installed, with its version", installed),
        ("CMake: no program", program_is_missing),
    ]  # fmt: skip
    for generator in FOLLOWED:
        every += [
            (f"CMake, {generator}: names that it follows", partial(is_followed, generator)),
            (f"CMake, {generator}: a layer that it cannot follow", partial(layer_stops_the_build, generator)),
            (f"CMake, {generator}: an argument that it cannot follow", partial(argument_stops_cmake, generator)),
            (f"CMake, {generator}: the page tells which", partial(documented, generator)),
        ]
        for sign in REFUSED[generator]:
            if sign in ";|":  # no depfile has them
                continue
            every.append((f"CMake, {generator}: a path with {sign!r}", partial(is_refused, generator, sign)))
    return every


if __name__ == "__main__":
    sys.exit(suite.main(tests()))
