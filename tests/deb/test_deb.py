#!/usr/bin/env python3
"""The package that `make deb` built: what lintian says, what is in it, and how it comes and goes in a fresh root."""

import hashlib
import os
import re
import shutil
import signal
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent), str(Path(__file__).resolve().parent.parent / "install")]
import suite  # noqa: E402
import tap  # noqa: E402
from shipped import PROGRAMS, shipped  # noqa: E402
from tap import equal, needs, needs_root, test  # noqa: E402

# The only waits for somebody else. With all of them a third of the time that `make check-deb` gives (TIMEOUT) is left.
MIRROR_SECONDS = 270
SIMULATION_SECONDS = 120
LEAVE_SECONDS = 30


def package():
    found = list((suite.BUILD / "deb").glob("*.deb"))
    equal(len(found), 1, "packages that make deb built")
    return found[0]


def field(name):
    return suite.run(["dpkg-deb", "--field", package(), name]).stdout.strip()


# ---- the package ----


@test
@needs("lintian")
def lintian_finds_nothing():
    done = suite.run(["lintian", "--fail-on", "error,warning", "--tag-display-limit", "0", package()], expect=None)
    equal((done.returncode, done.stdout), (0, ""))


@test
def its_version_is_the_programs():
    equal(f"allowc {field('Version')}\n", suite.run([*suite.program(), "--version"]).stdout)


def packaged(name):
    """Where Debian has a file that ships."""
    name = name.replace("share/zsh/site-functions/", "share/zsh/vendor-completions/")
    return f"./usr/{name}.gz" if name.startswith("share/man/") else f"./usr/{name}"


@test
def it_holds_what_make_install_brings():
    """It holds what make install brings, as root's, readable by everybody."""
    files, links = {}, set()
    for line in suite.run(["dpkg-deb", "--contents", package()]).stdout.splitlines():
        mode, owner, _, _, _, name, *link = line.split()
        equal(owner, "root/root", name)
        if link:
            links.add((name, link[-1]))
        elif name.endswith("/"):
            equal(mode, "drwxr-xr-x", name)
        else:
            files[name] = mode
    own = {"./usr/share/doc/allowc/changelog.gz", "./usr/share/doc/allowc/copyright"}
    programs = {packaged(name) for name in PROGRAMS}
    equal(set(files), {packaged(name) for name in shipped()} | own)
    equal({name for name, mode in files.items() if mode == "-rwxr-xr-x"}, programs)
    equal({mode for name, mode in files.items() if name not in programs}, {"-rw-r--r--"})
    manuals = "./usr/share/man/man1"
    equal(links, {(f"{manuals}/allowc-gen-tree-digest.1.gz", "allowc.1.gz"),
                  (f"{manuals}/allowc-gen-typescript.1.gz", "allowc.1.gz")})  # fmt: skip


@test
@needs("readelf", "nm")
def the_program_is_hardened():
    suite.run(["dpkg-deb", "--extract", package(), "x"], cwd=".")
    program = Path("x/usr/bin/allowc").resolve()
    tags = suite.run(["readelf", "--dynamic", "--program-headers", "--wide", program]).stdout
    for wanted in (r"\(FLAGS_1\) +Flags: NOW PIE", r"^  GNU_RELRO ", r"^  GNU_STACK .* RW +0x"):
        equal(bool(re.search(wanted, tags, re.M)), True, wanted)
    called = set(re.findall(r" U (\w+)", suite.run(["nm", "--dynamic", program]).stdout))
    equal({"__stack_chk_fail", "__vsnprintf_chk"} <= called, True, f"checked functions among {sorted(called)}")


@test
def it_is_built_with_the_packages_of_the_build():
    """The list of the project and that of the package are one, but for what Debian's builds have by themselves."""
    lines = (suite.ROOT / "dependencies.txt").read_text(encoding="utf-8").partition("[build]\n")[2].split("\n\n")[0]
    listed = {line.split()[0] for line in lines.splitlines()} - {"gcc", "libc6-dev", "make"}
    control = (suite.ROOT / "packaging/debian/control").read_text(encoding="utf-8")
    asked = re.search(r"^Build-Depends: (.*)", control, re.M)[1]
    equal({entry.split()[0] for entry in asked.split(", ")}, listed | {"debhelper-compat"})


# ---- in a fresh root ----


def release():
    text = Path("/etc/os-release").read_text(encoding="utf-8")
    found = re.search(r"^VERSION_CODENAME=\"?(\w+)", text, re.M)
    if not found or "ID=debian\n" not in text:
        raise suite.Skip("this is no release of Debian")
    return found[1]


def sources():
    """Where this machine has its packages from."""
    for name in ("/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list"):
        if Path(name).is_file() and "debian" in Path(name).read_text(encoding="utf-8"):
            return name
    return "http://deb.debian.org/debian"


def bootstrap(*options):
    """What mmdebstrap complains of; "" where it made the folder `root`."""
    seconds = SIMULATION_SECONDS if "--simulate" in options else MIRROR_SECONDS
    words = ["mmdebstrap", "--quiet", "--mode=root", "--variant=apt", "--format=directory", *options, release(), "root",
             sources()]  # fmt: skip
    done = suite.run(["timeout", f"--kill-after={LEAVE_SECONDS}", str(seconds), *words],
                     expect=None, environment=os.environ, cwd=".")
    if done.returncode in (124, -signal.SIGKILL):
        raise suite.Impossible(f"no root from a mirror within {seconds} seconds")
    return done.stderr.strip() or "no message" if done.returncode != 0 else ""


def fresh_root(needed, *options):
    """A Debian with nothing but what is essential and what the package says that it needs.

    Whatever keeps a mirror from answering is no fault of the package; that it needs what no mirror has, is one.
    """
    complaint = bootstrap(f"--include={','.join(needed)}", *options)
    if complaint:
        shutil.rmtree("root", ignore_errors=True)
        without = bootstrap("--simulate")
        if not without:
            suite.fail(f"with {', '.join(needed)} there is no root, and without there is one: {complaint}")
        raise suite.Impossible(f"no root from a mirror: {without.splitlines()[-1]}")
    return Path("root")


def depends():
    return [entry.split()[0] for entry in field("Depends").split(", ")]


def inside(root, *words, expect=0):
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
    return suite.run(["chroot", root, *words], expect=expect, environment=environment, cwd=".")


def inventory(root):
    """{path: mode, and hash or target}, without the records of dpkg and apt themselves."""
    found = {}
    for folder, folders, files in os.walk(root):
        place = Path(folder)
        for name in [*folders, *files]:
            path = place / name
            key = str(path.relative_to(root))
            if key.startswith(("var/lib/dpkg/", "var/log/", "var/lib/apt/", "var/cache/")):
                continue
            content = os.readlink(path) if path.is_symlink() else ""
            if path.is_file() and not path.is_symlink():
                content = hashlib.sha256(path.read_bytes()).hexdigest()
            found[key] = (path.lstat().st_mode, content)
    return found


@test
@needs_root
@needs("mmdebstrap")
def what_no_mirror_has_is_no_trouble_of_the_mirror():
    try:
        fresh_root(["allowc-needs-what-nobody-has"], "--simulate")
    except AssertionError as failure:
        tap.contains(str(failure), "with allowc-needs-what-nobody-has there is no root, and without there is one: ")
    else:
        suite.fail("a root came of it")


@test
@needs_root
@needs("mmdebstrap")
def it_comes_runs_and_goes_in_a_fresh_root():
    """It is installed, runs and is purged in a fresh root, which then is as it was."""
    root = fresh_root(depends())
    before = inventory(root)
    shutil.copy(package(), root / "allowc.deb")
    equal(inside(root, "dpkg", "--install", "/allowc.deb").stderr, "")
    (root / "allowc.deb").unlink()
    equal(inside(root, "dpkg", "--verify", "allowc").stdout, "")

    project = root / "project"
    for folder in ("policies", "adr"):
        shutil.copytree(suite.ROOT / folder, project / folder)
    written = ["-q", "--emit", "+all,typescript", "-Wno-oci-replaces-default", "-o", "generated", "policies/phase7.allow"]
    done = inside(root, "sh", "-c", 'cd /project && exec allowc "$@"', "allowc", *written)
    equal(done.stdout + done.stderr, "")
    environment = {**suite.ENVIRONMENT, "PATH": f"{suite.ROOT}/packaging/gen:{suite.ENVIRONMENT['PATH']}"}
    suite.run([*suite.program(), *written[:-2], Path("here").resolve(), written[-1]], environment=environment)
    equal(suite.tree(project / "generated"), suite.tree(Path("here")), "the artifacts are those of the build")
    shutil.rmtree(project)

    equal(inside(root, "dpkg", "--purge", "allowc").stderr, "")
    equal(inside(root, "dpkg", "--audit").stdout, "")
    after = inventory(root)
    equal({path for path in before.keys() ^ after.keys()}, set(), "paths that came or went")
    equal({path for path in before if before[path] != after[path]}, set(), "paths that changed")


tap.main()
