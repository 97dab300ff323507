#!/usr/bin/env python3
"""The hooks of .pre-commit-hooks.yaml, run by pre-commit in a project of their own, without a network."""

import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import contains, equal, needs, test  # noqa: E402

ADR = "# 1. The tools\n\nStatus: accepted\n\n`git` and `jq` are in.\n"
POLICY = """policy tools
decisions "../adr"
output names "../tools.txt"

allow git  adr 0001  because "clones"
"""
NEW_ROW = 'allow jq  adr 0001  because "reads JSON"\n'


def environment():
    """Nothing of the user's, no proxy by which something could be fetched, and allowc on PATH."""
    here = Path.cwd()
    (here / "bin").mkdir(exist_ok=True)
    if not (here / "bin/allowc").exists():
        (here / "bin/allowc").symlink_to(suite.ALLOWC)
    nowhere = "http://127.0.0.1:9"
    return {**suite.ENVIRONMENT, "PATH": f"{here}/bin:{suite.ENVIRONMENT['PATH']}", "HOME": str(here),
            "PRE_COMMIT_HOME": f"{here}/cache", "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@b",
            "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@b", "http_proxy": nowhere, "https_proxy": nowhere,
            "PRE_COMMIT_COLOR": "never"}  # fmt: skip


def git(folder, *words):
    return suite.run(["git", *words], cwd=folder, environment=environment()).stdout.strip()


def commit_all(folder):
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--no-verify", "-m", "x")


def hook_repository():
    """This tree's hooks as a repository; its revision."""
    folder = Path.cwd() / "hooks"
    folder.mkdir()
    shutil.copy(suite.ROOT / ".pre-commit-hooks.yaml", folder)
    git(folder, "init", "-q")
    commit_all(folder)
    return folder, git(folder, "rev-parse", "HEAD")


def project(*hooks):
    """A project with a policy, its ADR and what sync and compiling write, whose commits these hooks check."""
    repository, revision = hook_repository()
    folder = Path.cwd() / "project"
    for name, text in (("adr/0001-tools.md", ADR), ("policies/tools.allow", POLICY)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    config = f"repos:\n- repo: file://{repository}\n  rev: {revision}\n  hooks:\n"
    config += "".join(f"  - id: {hook}\n    args: [{args}]\n" if args else f"  - id: {hook}\n" for hook, args in hooks)
    (folder / ".pre-commit-config.yaml").write_text(config, encoding="utf-8")
    git(folder, "init", "-q")
    suite.run([*suite.program(), "-q", "policies/tools.allow"], cwd=folder)
    suite.run([*suite.program(), "sync", "-q", "policies/tools.allow"], cwd=folder)
    commit_all(folder)
    return folder


def change(folder, name, text):
    (folder / name).write_text(text, encoding="utf-8")
    git(folder, "add", "-A")


def hooks_say(folder, status, *words):
    done = subprocess.run(["pre-commit", "run", *words], cwd=folder, env=environment(), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=120)  # fmt: skip
    equal(done.returncode, status, done.stdout + done.stderr)
    return done.stdout


@test
@needs("pre-commit", "git")
def a_good_policy_passes_all_hooks():
    folder = project(("allowc-fmt", ""), ("allowc-check", ""), ("allowc-generated-check", "policies/tools.allow"),
                     ("allowc-sync-check", "policies/tools.allow"))  # fmt: skip
    told = hooks_say(folder, 0, "--all-files")
    equal([line.rstrip(".")[-6:] for line in told.splitlines() if "..." in line], ["Passed"] * 4)
    equal(git(folder, "status", "--porcelain"), "")


@test
@needs("pre-commit", "git")
def check_refuses_a_policy_that_is_rejected():
    folder = project(("allowc-check", ""))
    change(folder, "policies/tools.allow", POLICY.replace("0001", "0002"))
    contains(hooks_say(folder, 1), "there is no ADR tools/0002 [adr-missing]")


@test
@needs("pre-commit", "git")
def fmt_lays_out_and_stops_the_commit():
    folder = project(("allowc-fmt", ""))
    change(folder, "policies/tools.allow", POLICY + NEW_ROW.replace("  adr", " adr"))
    contains(hooks_say(folder, 1), "files were modified by this hook")
    equal((folder / "policies/tools.allow").read_text(encoding="utf-8"), POLICY + NEW_ROW)
    git(folder, "add", "-A")
    hooks_say(folder, 0)


@test
@needs("pre-commit", "git")
def stale_artifacts_stop_the_commit():
    """Stale artifacts stop the commit, in the output folder and in place."""
    folder = project(("allowc-generated-check", "policies/tools.allow"), ("allowc-sync-check", "policies/tools.allow"))
    change(folder, "policies/tools.allow", POLICY + NEW_ROW)
    told = hooks_say(folder, 1)
    contains(told, "+++ policies/../tools.txt")
    contains(told, "+++ generated/tools.py")


@test
@needs("pre-commit", "git")
def a_hook_without_its_policies_fails():
    """A hook whose args were forgotten fails: nothing is taken for checked."""
    folder = project(("allowc-sync-check", ""))
    contains(hooks_say(folder, 1, "--all-files"), "no policy is named")


@test
def the_manifest_names_these_hooks():
    import yaml  # pylint: disable=import-outside-toplevel

    with open(suite.ROOT / ".pre-commit-hooks.yaml", encoding="utf-8") as file:
        hooks = yaml.safe_load(file)
    equal([(hook["id"], hook["language"], hook["entry"].split()[0]) for hook in hooks],
          [(f"allowc-{name}", "system", "allowc") for name in ("check", "fmt", "generated-check", "sync-check")])


tap.main()
