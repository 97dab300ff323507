#!/usr/bin/env python3
"""The GitHub workflow and its script: what is posted, by a `gh` of our own that keeps comments in a file."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import yaml

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import contains, equal, needs, test  # noqa: E402

FOLDER = suite.ROOT / "packaging" / "github"
MARKER = "<!-- allowc diff -->\n"
BOT = "github-actions[bot]"

# Comments are in comments.json, two a page; each call is a line of calls. `deny` holds what it fails with.
GH = f"#!{sys.executable}" + """
import json, os, sys
from pathlib import Path

home = Path(os.environ["TEST_HOME"])
arguments = sys.argv[1:]
assert arguments.pop(0) == "api", arguments
assert os.environ["GH_TOKEN"] == "secret"
headers = [arguments.pop(0) for _ in range(4)]
assert headers == ["-H", "Accept: application/vnd.github+json", "-H", "X-GitHub-Api-Version: 2022-11-28"], headers
with (home / "calls").open("a") as calls:
    calls.write(" ".join(argument for argument in arguments if not argument.startswith("/")) + "\\n")
store = home / "comments.json"
comments = json.loads(store.read_text())
writes = "--input" in arguments
if (home / ("deny" if writes else "deny-reading")).exists():
    sys.stderr.write((home / ("deny" if writes else "deny-reading")).read_text())
    sys.exit(1)
if not writes:
    for page in range(0, max(len(comments), 1), 2):
        print(json.dumps(comments[page : page + 2]), end="")
    sys.exit()
body = json.loads(Path(arguments[arguments.index("--input") + 1]).read_text(encoding="utf-8"))["body"]
if arguments[1] == "PATCH":
    number = int(arguments[2].rsplit("/", 1)[1])
    next(comment for comment in comments if comment["id"] == number)["body"] = body
else:
    comments.append({"id": 900 + len(comments), "user": {"login": "github-actions[bot]"}, "body": body})
store.write_text(json.dumps(comments))
"""

# `gate` is asked for its words alone; all else is the program's. The token is not for it.
ALLOWC = """#!/bin/sh
[ -z "${{GH_TOKEN-}}" ] || {{ echo 'allowc sees the token' >&2; exit 2; }}
[ "$1" = gate ] || exec {program} "$@"
echo "$*" >>"$TEST_HOME/gates"
printf '::error::from the gate\\n'
for last; do :; done
exit "$(cat "$TEST_HOME/status-$last" 2>/dev/null || echo 0)"
"""

ADR = "# 1. Tools\n\nDate: 2026-05-12\n\n## Status\n\nAccepted\n\n`git`, `jq`, `rg`\n"
POLICY = 'policy p\ndecisions "adr"\n\nallow git  adr 1  because "clones"\n'


def script(path, text):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")
    os.chmod(path, 0o755)


def environment(**more):
    home = os.environ["TEST_HOME"]
    return {"PATH": f"{home}/bin:{os.environ['PATH']}", "HOME": home, "TEST_HOME": home, "GIT_CONFIG_NOSYSTEM": "1",
            "LC_ALL": "C.UTF-8", "TMPDIR": os.environ.get("TMPDIR", "/tmp"), **more}


def git(*arguments):
    identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *identity, *arguments], env=environment(), check=True, capture_output=True)


def write(path, text):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


def commit():
    git("add", "-A")
    git("commit", "-q", "-m", "c", "--allow-empty")


def pull_request(*changes, policy=POLICY):
    """The merge of a branch with these (path, text) into main, checked out as actions/checkout does."""
    home = Path.cwd()
    os.environ["TEST_HOME"] = str(home)
    script("bin/gh", GH)
    script("bin/allowc", ALLOWC.format(program=" ".join(f"'{word}'" for word in suite.program())))
    write("comments.json", "[]")
    os.mkdir("project")
    os.chdir("project")
    git("init", "-q")
    write("adr/0001-tools.md", ADR)
    write("p.allow", policy)
    commit()
    git("checkout", "-q", "-b", "change")
    for path, text in changes:
        write(path, text)
    commit()
    git("checkout", "-q", "--detach", "main")
    git("merge", "-q", "--no-ff", "-m", "merge", "change")


WIDER = ("p.allow", POLICY + 'allow rg  adr 1  because "searches"\n')


def review(*arguments, **more):
    settings = {"GITHUB_REPOSITORY": "owner/project", "PULL_REQUEST": "7", "GH_TOKEN": "secret",
                "GITHUB_STEP_SUMMARY": os.environ["TEST_HOME"] + "/summary", **more}
    return subprocess.run([FOLDER / "review", *arguments], env=environment(**settings), check=False,
                          capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60, encoding="utf-8")


def home(name):
    path = Path(os.environ["TEST_HOME"]) / name
    return path.read_text(encoding="utf-8") if path.exists() else ""


def comments():
    return json.loads(home("comments.json"))


def there_are(*pairs):
    """Comments that stand there already: (author, body), numbered from 1."""
    made = [{"id": number, "user": {"login": author}, "body": body} for number, (author, body) in enumerate(pairs, 1)]
    write(os.environ["TEST_HOME"] + "/comments.json", json.dumps(made))


LIST = "--paginate repos/owner/project/issues/7/comments?per_page=100\n"


# ---- comment ----


@test
@needs("git", "jq")
def the_report_is_posted_once_and_then_updated():
    pull_request(WIDER)
    done = review("comment", "p.allow")
    equal((done.returncode, done.stderr), (0, ""))
    equal(home("calls"), f"{LIST}--method POST repos/owner/project/issues/7/comments --input\n")
    [comment] = comments()
    equal(comment["body"].startswith(MARKER), True, comment["body"])
    contains(comment["body"], "commands wider \\+1")
    equal(home("summary"), comment["body"])
    write("p.allow", POLICY)
    git("commit", "-q", "--amend", "-a", "-m", "merge")
    equal(review("comment", "p.allow").returncode, 0)
    equal(home("calls").splitlines()[-1], "--method PATCH repos/owner/project/issues/comments/900 --input")
    [comment] = comments()
    contains(comment["body"], "equivalent")


@test
@needs("git", "jq")
def only_our_own_comment_is_updated():
    """On a later page; not one that a person began with the marker, nor one of ours without it."""
    pull_request(WIDER)
    there_are(("mallory", MARKER), (BOT, "hello"), (BOT, None), ("bob", "said " + MARKER), (BOT, MARKER + "old"),
              (BOT, MARKER + "older"))
    equal(review("comment", "p.allow").returncode, 0)
    equal(home("calls").splitlines()[-1], "--method PATCH repos/owner/project/issues/comments/5 --input")
    bodies = [comment["body"] for comment in comments()]
    equal(bodies[:4] + bodies[5:], [MARKER, "hello", None, "said " + MARKER, MARKER + "older"])
    contains(bodies[4], "commands wider \\+1")
    there_are(("mallory", MARKER))
    equal(review("comment", "p.allow").returncode, 0)
    equal(len(comments()), 2)
    there_are(("reviewer[bot]", MARKER))
    equal(review("comment", "p.allow", COMMENT_AUTHOR="reviewer[bot]").returncode, 0)
    equal(len(comments()), 1)


@test
@needs("git", "jq")
def nothing_is_posted_where_nothing_differs():
    pull_request(("README.md", "more\n"))
    done = review("comment", "p.allow")
    equal((done.returncode, done.stderr, home("calls")), (0, "", LIST))
    contains(done.stdout, "nothing differs, and no comment says otherwise\n")


@test
@needs("git", "jq")
def hard_texts_arrive_as_they_are():
    """Quotes, backquotes, dollars and backslashes of a policy are a comment's text, and nothing else."""
    reason = "`id` $(touch owned) ${HOME} \\\"quoted\\\" 'single' \\\\ </details> @owner %0A ü"
    pull_request(("p.allow", POLICY.replace("clones", reason)))
    equal(review("comment", "p.allow").returncode, 0)
    [comment] = comments()
    contains(comment["body"], "because")
    equal(os.path.exists("owned"), False)
    base = subprocess.run(["git", "rev-parse", "HEAD^1"], env=environment(), capture_output=True, text=True,
                          check=True).stdout.strip()
    expected = tap.allowc("diff", "--format", "markdown", "--base", base, "p.allow").stdout
    equal(comment["body"], MARKER + "\n" + expected.removeprefix(MARKER))


@test
@needs("git", "jq")
def a_fork_s_token_may_not_write():
    pull_request(WIDER)
    write(os.environ["TEST_HOME"] + "/deny", "gh: Resource not accessible by integration (HTTP 403)\n")
    done = review("comment", "p.allow")
    equal((done.returncode, done.stderr, comments()), (0, "", []))
    contains(done.stdout, "::notice::this token may not comment (a fork?)")
    contains(home("summary"), "commands wider \\+1")


@test
@needs("git", "jq")
def any_other_failure_of_gh_is_one():
    for name, told in (("deny", "gh: Server Error (HTTP 502)\n"), ("deny", "gh: API rate limit exceeded (HTTP 403)\n"),
                       ("deny-reading", "gh: Not Found (HTTP 404)\n")):
        folder = Path.cwd() / re.sub(r"\W+", "-", told)
        folder.mkdir()
        os.chdir(folder)
        pull_request(WIDER)
        write(os.environ["TEST_HOME"] + "/" + name, told)
        done = review("comment", "p.allow")
        equal((done.returncode, done.stderr, comments()), (1, "review: gh could not post the report\n", []))
        contains(done.stdout, told)
        os.chdir(folder.parent)


@test
@needs("git", "jq")
def what_cannot_be_compared_is_said_and_is_never_equivalent():
    pull_request(("p.allow", POLICY.replace("allow git", "alow git")), ("q.allow", POLICY.replace("policy p", "policy q")))
    done = review("comment", "p.allow", "q.allow", "nothing.allow")
    equal(done.returncode, 0)
    contains(done.stdout, "p.allow:4:1: error: unknown statement 'alow' [syntax]")
    [comment] = comments()
    equal(comment["body"], MARKER + """
`p.allow` could not be compared: the log of this job says why.

`q.allow` was not there before: all that it permits is new.

`nothing.allow` is not there, though the workflow names it.
""")
    os.remove("q.allow")
    os.remove("p.allow")
    equal(review("comment", "p.allow").returncode, 0)
    contains(comments()[0]["body"], "\n`p.allow` could not be compared: the log of this job says why.\n")


@test
@needs("git", "jq")
def several_policies_are_one_comment_with_one_marker_and_an_end():
    rows = "".join(f'allow git{number}  adr 1  because "{"x" * 60}"\n' for number in range(1800))
    names = [f"p{number}.allow" for number in range(3)]
    pull_request(*((name, POLICY.replace("policy p", f"policy p{number}") + rows) for number, name in enumerate(names)),
                 policy=POLICY)
    git("checkout", "-q", "HEAD^1")
    for number, name in enumerate(names):
        write(name, POLICY.replace("policy p", f"policy p{number}"))
    commit()
    git("merge", "-q", "--no-ff", "-m", "merge", "-X", "theirs", "change")
    equal(review("comment", *names).returncode, 0)
    [comment] = comments()
    equal(comment["body"].count(MARKER), 1)
    equal(len(comment["body"].encode()) < 65536, True)
    equal(comment["body"][-200:].split("\n\n")[-2:],
          [f"`{name}` is left out: there is no room for it in one comment." + end
           for name, end in (("p1.allow", ""), ("p2.allow", "\n"))])


# ---- gate ----


@test
@needs("git")
def the_gate_is_asked_of_each_policy_and_the_worst_counts():
    pull_request(WIDER)
    done = review("gate", "p.allow", "q.allow")
    equal((done.returncode, done.stderr), (0, ""))
    base = subprocess.run(["git", "rev-parse", "HEAD^1"], env=environment(), capture_output=True, text=True,
                          check=True).stdout.strip()
    equal(home("gates"), f"gate --base {base} -- p.allow\ngate --base {base} -- q.allow\n")
    for status in (1, 2):
        write(os.environ["TEST_HOME"] + "/status-p.allow", str(status))
        equal(review("gate", "p.allow", "q.allow").returncode, status)
    review("gate", "p.allow", GATE_OPTIONS="--require-adr=changed --fail-on any")
    equal(home("gates").splitlines()[-1], f"gate --require-adr=changed --fail-on any --base {base} -- p.allow")


@test
@needs("git")
def the_log_shows_what_is_said_and_obeys_nothing():
    pull_request(WIDER)
    lines = review("gate", "p.allow").stdout.splitlines()
    at = lines.index("::error::from the gate")
    stop = re.fullmatch(r"::stop-commands::([0-9a-f]{32})", lines[at - 1])
    equal(bool(stop), True, lines)
    equal(lines[-1], f"::{stop[1]}::")
    equal(review("gate", "p.allow").stdout.splitlines()[0] == lines[0], False, "the word is a new one each time")


# ---- both ----


@test
@needs("git", "jq")
def a_branch_that_is_called_like_the_commit_before():
    """Short numbers are names that a branch may have, whole ones are not."""
    pull_request(WIDER)
    for size in (7, 12, 39):
        number = subprocess.run(["git", "rev-parse", f"--short={size}", "HEAD^1"], env=environment(), text=True,
                                capture_output=True, check=True).stdout.strip()  # fmt: skip
        git("branch", number, "HEAD")
    review("comment", "p.allow")
    contains(comments()[0]["body"], "commands wider")


@test
@needs("git", "jq")
def a_file_that_is_called_like_a_revision_is_not_read():
    """`HEAD^1:p.allow` as a file would be OLD: the change would be held against itself."""
    pull_request(WIDER, ("HEAD^1:p.allow", WIDER[1]))
    equal(review("comment", "p.allow").returncode, 0)
    contains(comments()[0]["body"], "commands wider \\+1")


@test
@needs("git")
def usage():
    pull_request(WIDER)
    for arguments, told in (
        ((), "usage: review comment|gate POLICY..."),
        (("gate",), "usage: review comment|gate POLICY..."),
        (("post", "p.allow"), "there is no 'post'; there are comment and gate"),
    ):
        done = review(*arguments)
        equal((done.returncode, done.stderr), (2, f"review: {told}\n"))
    for number in ("", "7; id", "../7"):
        done = review("comment", "p.allow", PULL_REQUEST=number)
        equal((done.returncode, done.stderr), (2, "review: PULL_REQUEST is not the number of a pull request\n"))
    git("checkout", "-q", "main")
    for command in ("comment", "gate"):
        done = review(command, "p.allow")
        equal((done.returncode, done.stderr), (2, "review: HEAD is no merge: check out the pull request's merge, with "
                                               "fetch-depth 2\n"))
    equal(home("calls") + home("gates"), "")


# ---- the workflow ----


def workflow():
    return yaml.safe_load((FOLDER / "allowc.yml").read_text(encoding="utf-8"))


def steps():
    return [step for job in workflow()["jobs"].values() for step in job["steps"]]


@test
def the_workflow_may_no_more_than_it_needs():
    text = workflow()
    equal(text[True], {"pull_request": None}, "YAML 1.1 reads `on` as true")
    equal(text["permissions"], {})
    equal({name: job["permissions"] for name, job in text["jobs"].items()},
          {"gate": {"contents": "read"}, "comment": {"contents": "read", "pull-requests": "write"}})
    for job in text["jobs"].values():
        equal(job["timeout-minutes"] <= 15, True)
    tokens = [step["name"] for step in steps() if "github.token" in str(step) or "secrets" in str(step)]
    equal(tokens, ["What the change permits"])


@test
def every_action_is_pinned_to_a_commit_and_leaves_no_token_behind():
    used = [step for step in steps() if "uses" in step]
    equal(len(used), 4)
    for step in used:
        equal(bool(re.fullmatch(r"actions/checkout@[0-9a-f]{40}", step["uses"])), True, step["uses"])
        equal(step["with"]["persist-credentials"], False)
    equal(bool(re.fullmatch("[0-9a-f]{40}", workflow()["env"]["ALLOWC_COMMIT"])), True)


@test
def no_text_of_a_pull_request_is_a_word_of_a_shell():
    """No expression stands in a script, and outside only those that GitHub itself makes."""
    for step in steps():
        equal("${{" in step.get("run", ""), False, step)
    found = set(re.findall(r"\$\{\{ *(.*?) *\}\}", (FOLDER / "allowc.yml").read_text(encoding="utf-8")))
    equal(found, {"github.ref", "github.token", "github.event.pull_request.number", "env.ALLOWC_REPOSITORY",
                  "env.ALLOWC_COMMIT"})


@test
def what_the_workflow_runs_is_there():
    runs = [step["run"] for step in steps() if "run" in step]
    equal(sorted(set(runs)), ["../allowc/packaging/github/review comment $POLICIES",
                              "../allowc/packaging/github/review gate $POLICIES",
                              'make -j2 && echo "$PWD/build" >>"$GITHUB_PATH"'])
    equal(os.access(FOLDER / "review", os.X_OK), True)


tap.main()
