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


# A page may speak of what is in the source alone: then it is no link.
LINK = re.compile(r"\]\(([^)\s#]+)[^)\s]*\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


@test
def links_of_the_pages_that_are_installed_lead_somewhere():
    make("install", f"DESTDIR={Path.cwd()}/root", "PREFIX=/opt")
    pages = sorted(Path("root/opt/share/doc/allowc").rglob("*.md"))
    dead, followed = [], 0
    for page in pages:
        text = re.sub(r"`[^`\n]*`", "", FENCE.sub("", page.read_text(encoding="utf-8")))
        targets = [target for target in LINK.findall(text) if ":" not in target]
        followed += len(targets)
        dead += [f"{page}: {target}" for target in targets if not (page.parent / target).exists()]
    equal(dead, [])
    equal(followed > 50, True, f"{followed} links of {len(pages)} pages")


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
    folders = sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_dir())
    equal(folders, ["bin", "share", "share/allowc", "share/allowc/std", "share/man", "share/man/man1"])


@test
def uninstall_takes_all_folders_that_are_empty_then():
    """uninstall takes all folders that are empty then, but for those that every system has."""
    make("install", f"DESTDIR={Path.cwd()}/a % root", "PREFIX=/opt")
    make("uninstall", f"DESTDIR={Path.cwd()}/a % root", "PREFIX=/opt")
    equal(sorted(str(path) for path in Path("a % root/opt").rglob("*")),
          [f"a % root/opt/{name}" for name in ("bin", "share", "share/man")])


@test
def uninstall_leaves_folders_that_somebody_else_uses():
    """uninstall leaves folders that somebody else uses, be it by a folder without a file."""
    root = Path("root/opt")
    used = ["share/man/man5/other.5", "share/vim/vimfiles/syntax/other.vim", "share/zsh/site-functions/_other"]
    for name in used:
        (root / name).parent.mkdir(parents=True)
        (root / name).write_text("mine\n", encoding="utf-8")
    (root / "share/fish/mine").mkdir(parents=True)
    Path("elsewhere").mkdir()
    (root / "share/pkgconfig").symlink_to(Path("elsewhere").resolve())
    make("install", f"DESTDIR={Path.cwd()}/root", "PREFIX=/opt")
    make("uninstall", f"DESTDIR={Path.cwd()}/root", "PREFIX=/opt")
    kept = [f"share/{name}" for name in ("fish", "fish/mine", "man", "man/man5", "pkgconfig", "vim", "vim/vimfiles",
                                         "vim/vimfiles/syntax", "zsh", "zsh/site-functions")]  # fmt: skip
    equal(sorted(str(path.relative_to(root)) for path in root.rglob("*")), sorted(["bin", "share", *kept, *used]))
    equal(os.listdir("elsewhere"), [])


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


def is_refused(message, *words):
    """Before anything is written or removed."""
    Path("kept").mkdir(exist_ok=True)
    for target in ("install", "uninstall"):
        equal(make(target, *words, expect=2).stderr.splitlines()[0], message, f"{target} {words}")
    equal((sorted(os.listdir(".")), os.listdir("kept")), (["build", "kept"], []), words)
    equal((Path("build/packaging") / "allowc.pc").exists(), False, words)


@test
def a_relative_prefix_is_refused():
    is_refused("PREFIX is an absolute path, not 'opt'", "PREFIX=opt", f"DESTDIR={Path.cwd()}/kept")
    is_refused("PREFIX is an absolute path, not ''", "PREFIX=", f"DESTDIR={Path.cwd()}/kept")


@test
def a_prefix_that_would_break_what_names_it_is_refused():
    message = ("PREFIX has a character that allowc.pc, make or the shell would take for more than itself: "
               "a blank, a control character, or one of & | ' \" \\ $ # `")
    for sign in " \t\n\x01&|'\"\\$#`":
        is_refused(message, f"PREFIX=/o{sign}pt", f"DESTDIR={Path.cwd()}/kept")
    is_refused(message, "PREFIX=/opt$$x", f"DESTDIR={Path.cwd()}/kept")


@test
def any_other_prefix_is_taken():
    """Any other prefix is taken, and pkg-config has it as it is."""
    prefix = Path.cwd() / "ä%=(,;)*?[~]{x}@VERSION@"
    make("install", f"PREFIX={prefix}")
    equal(installed(prefix), shipped())
    text = (prefix / "share/pkgconfig/allowc.pc").read_text(encoding="utf-8")
    equal(text.splitlines()[1], f"prefix={prefix}")
    make("uninstall", f"PREFIX={prefix}")
    equal(installed(prefix), [])


@test
def a_destdir_that_the_shell_would_not_take_as_it_is_is_refused():
    message = "DESTDIR has a character that make or the shell would take for more than itself: one of ' $"
    for sign in "'$":
        is_refused(message, "PREFIX=/opt", f"DESTDIR={Path.cwd()}/kept/{sign}x")


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
