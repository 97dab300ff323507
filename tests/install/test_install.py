#!/usr/bin/env python3
"""make install and make uninstall, what pkg-config says, and the manual pages."""

import os
import re
import shutil
import stat
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from keywords import keywords  # noqa: E402
from shipped import PROGRAMS, shipped  # noqa: E402
from tap import equal, needs, test  # noqa: E402

OWN = ("share/allowc", "share/cmake/allowc", "share/doc/allowc")


def make(*words, expect=0):
    """In a build folder of its own, with the program that is there: nothing is compiled for this."""
    build = Path("build")
    kept = ["allowc", "packaging/completions/tables.tsv"]
    if not build.exists():
        for name in kept:
            (build / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(suite.BUILD / name if name != "allowc" else suite.ALLOWC, build / name)
    environment = {name: value for name, value in suite.ENVIRONMENT.items() if not name.startswith("MAKE")}
    here = os.getcwd()
    return suite.run(["make", "-s", "-C", suite.ROOT, *words, "DEPENDENCIES=:", f"BUILD={here}/build",
                      *(word for name in kept for word in ("-o", f"{here}/build/{name}"))],
                     expect=expect, environment=environment)  # fmt: skip


def installed(root):
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if not path.is_dir())


@test
def all_that_ships_is_installed_for_everybody():
    """All that ships is installed for everybody, whatever the umask is."""
    root = Path("a root") / "usr"
    old = os.umask(0o077)
    try:
        make("install", f"DESTDIR={Path.cwd()}/a root", "PREFIX=/usr")
    finally:
        os.umask(old)
    equal(installed(root), shipped())
    for path in root.rglob("*"):
        name = str(path.relative_to(root))
        equal((name, stat.S_IMODE(path.stat().st_mode)),
              (name, 0o755 if path.is_dir() or name in PROGRAMS else 0o644))  # fmt: skip


@test
def uninstall_takes_back_what_install_brought():
    """uninstall takes back what install brought, and nothing of anybody else's."""
    root = Path("root/opt")
    others = ["bin/other", "share/allowc/std/std-mine-2026.allow", "share/man/man1/other.1"]
    for name in others:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("mine\n", encoding="utf-8")
    make("install", f"DESTDIR={Path.cwd()}/root", "PREFIX=/opt")
    equal(installed(root), sorted(shipped() + others))
    make("uninstall", f"DESTDIR={Path.cwd()}/root", "PREFIX=/opt")
    equal(installed(root), sorted(others))
    folders = [str(path.relative_to(root)) for path in root.rglob("*") if path.is_dir()]
    equal(sorted(folder for folder in folders if folder.startswith(OWN)), ["share/allowc", "share/allowc/std"])


@test
def uninstall_takes_all_folders_of_its_own():
    make("install", f"DESTDIR={Path.cwd()}/root", "PREFIX=/opt")
    make("uninstall", f"DESTDIR={Path.cwd()}/root", "PREFIX=/opt")
    equal([path for path in Path("root").rglob("*") if not path.is_dir()], [])
    equal([folder for folder in OWN if (Path("root/opt") / folder).exists()], [])


@test
def uninstall_where_nothing_is_installed():
    make("uninstall", f"DESTDIR={Path.cwd()}/root", "PREFIX=/opt")
    equal(Path("root").exists(), False)


@test
@needs("pkg-config")
def pkg_config_says_where_everything_is():
    prefix = Path.cwd() / "prefix"
    make("install", f"PREFIX={prefix}")
    environment = {**suite.ENVIRONMENT, "PKG_CONFIG_PATH": f"{prefix}/share/pkgconfig"}

    def ask(*words):
        return suite.run(["pkg-config", *words, "allowc"], environment=environment).stdout.strip()

    suite.run(["pkg-config", "--validate", prefix / "share/pkgconfig/allowc.pc"], environment=environment)
    program = ask("--variable=allowc")
    equal(program, f"{prefix}/bin/allowc")
    equal(f"allowc {ask('--modversion')}\n", suite.run([program, "--version"]).stdout)
    equal((ask("--cflags"), ask("--libs")), ("", ""))
    for variable, folder in (("prefix", ""), ("bindir", "bin"), ("datadir", "share/allowc"),
                             ("stddir", "share/allowc/std"), ("schemadir", "share/allowc/schema")):  # fmt: skip
        equal(Path(ask(f"--variable={variable}")), prefix / folder, variable)
        equal((prefix / folder).is_dir(), True, variable)


@test
def a_relative_prefix_is_refused():
    done = make("install", "PREFIX=opt", f"DESTDIR={Path.cwd()}/", expect=2)
    equal(done.stderr.splitlines()[0], "PREFIX is an absolute path, not 'opt'")
    equal(os.listdir("."), ["build"])


@test
def another_prefix_is_seen():
    """What was made for one prefix is made anew for the next."""
    for name in ("one", "two"):
        make("install", f"PREFIX={Path.cwd()}/{name}")
        text = Path(f"{name}/share/pkgconfig/allowc.pc").read_text(encoding="utf-8")
        equal(f"prefix={Path.cwd()}/{name}\n" in text, True, name)


# ---- manual pages ----


def pages():
    return [*sorted((suite.ROOT / "packaging/man").glob("*.[1-8]")), suite.BUILD / "allowc-diagnostics.7"]


@test
@needs("man")
def man_has_no_warning_for_any_page():
    for page in pages():
        done = suite.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page])
        equal((page.name, done.stderr), (page.name, ""))


@test
@needs("mandoc")
def mandoc_finds_nothing_to_warn_of():
    for page in pages():
        equal((page.name, suite.run(["mandoc", "-T", "lint", "-W", "warning", page]).stdout), (page.name, ""))


@test
def allow_5_has_every_keyword():
    manual = (suite.ROOT / "packaging/man/allow.5").read_text(encoding="utf-8")
    told = set(re.findall(r"\bIc ([a-z-]+)", manual))
    equal(sorted({word for word, _ in keywords()} - told), [])


@test
def the_example_of_allow_5_is_a_policy():
    """The example of allow(5) is a policy in its canonical layout."""
    manual = (suite.ROOT / "packaging/man/allow.5").read_text(encoding="utf-8")
    example = manual.split(".Sh EXAMPLES")[1].split(".Bd -literal -offset indent\n")[1].split(".Ed\n")[0]
    Path("sample.allow").write_text(example, encoding="utf-8")
    Path("adr").mkdir()
    Path("adr/0001-tools.md").write_text(
        "# 1. Tools\n\nStatus: accepted\n\n`git`, `docker`, `docker buildx`, `strace`, `@mount`\n", encoding="utf-8")
    tap.passes("check", "-Werror", "sample.allow")
    tap.passes("fmt", "--check", "sample.allow")


tap.main()
