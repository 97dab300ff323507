#!/usr/bin/env python3
"""The JSON of explain fits the schema that ships, whatever is asked; and the schema names every member. In TAP."""

from __future__ import annotations

import concurrent.futures
import copy
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402

SCHEMA = suite.ROOT / "packaging" / "schema" / "explain.schema.json"
GOLDEN = suite.ROOT / "tests" / "golden"
PAGES = suite.ROOT / "compiler" / "data" / "pages"
KINDS = ("verdict", "calls", "diagnostic")  # a member that only that kind of answer has


def closed(node: Any) -> Any:
    """The same schema, but that members which it does not name are wrong; rows are closed where they are a part."""
    if isinstance(node, list):
        return [closed(item) for item in node]
    if not isinstance(node, dict):
        return node
    result = {key: closed(value) for key, value in node.items()}
    if "properties" in node and isinstance(node["properties"], dict) and "verb" not in node["properties"]:
        result["unevaluatedProperties"] = False
    return result


def validator(schema: dict[str, Any]) -> Any:
    try:
        import jsonschema  # pylint: disable=import-outside-toplevel
    except ImportError:
        raise suite.Skip("python3-jsonschema is not installed") from None
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def answer(words: list[str], folder: Path) -> dict[str, Any] | None:
    """None where there is nothing to explain."""
    result = subprocess.run([*suite.program(), "explain", "--format", "json", *words], cwd=folder,
                            env=suite.ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, check=False)  # fmt: skip
    return json.loads(result.stdout) if result.returncode == 0 else None


def questions() -> list[tuple[list[str], Path]]:
    """Those of the golden cases, all of them for JSON, and every page."""
    asked = []
    for case in sorted(GOLDEN.glob("explain-*")):
        words = shlex.split((case / "args").read_text(encoding="utf-8"))
        if not (case / "expect.code").exists() and "json" not in words:
            asked.append((words[1:], case))
    for page in sorted(PAGES.glob("*.txt")):
        names = re.findall(r"^\[([a-z0-9-]+)\]$", page.read_text(encoding="utf-8"), re.MULTILINE)
        asked += [([name], suite.ROOT) for name in names]
    return asked


def every_answer_fits() -> None:
    check = validator(closed(json.loads(SCHEMA.read_text(encoding="utf-8"))))
    asked = questions()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda question: answer(*question), asked))
    kinds = {kind: 0 for kind in KINDS}
    for (words, _), found in zip(asked, answers):
        if found is None:
            suite.fail(f"no answer: {words}")
        errors = [f"{words}: {error.json_path}: {error.message}" for error in check.iter_errors(found)]
        if errors:
            suite.fail("\n".join(errors))
        for kind in KINDS:
            kinds[kind] += kind in found
    if min(kinds.values()) < 10:
        suite.fail(f"too few answers of a kind: {kinds}")


def role_and_plugin_fit() -> None:
    policy = ('policy p\nallow git, "docker buildx"  adr 1  because "needed"\n'
              'role gate {\n    forbid git  adr 1  because "no"\n}\n'
              'plugin a {\n    tools git\n}\n')  # fmt: skip
    check = validator(closed(json.loads(SCHEMA.read_text(encoding="utf-8"))))
    with suite.scratch() as folder:
        (folder / "p.allow").write_text(policy, encoding="utf-8")
        found = answer(["-Wno-adr-unchecked", "-Wno-launcher", "p.allow", "git", "log"], folder)
    if found is None:
        suite.fail("no answer")
    suite.same("errors", [error.message for error in check.iter_errors(found)], [])
    suite.same("blocks", found["blocks"], [
        {"kind": "role", "name": "gate", "verdict": "forbidden", "listed": False, "subject": "git", "file": "p.allow",
         "line": 4},
        {"kind": "plugin", "name": "a", "verdict": "allowed", "listed": True, "subject": "git", "file": "p.allow",
         "line": 2},
    ])  # fmt: skip


def other_answers_do_not_fit() -> None:
    check = validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    good = answer(["--emit", "names", "policy.allow", "git"], GOLDEN / "explain-allowed")
    if good is None or not check.is_valid(good):
        suite.fail(f"that one should fit: {good}")
    for key, value in (("verdict", "maybe"), ("row", 1), ("argv", []), ("near", ["a", "b", "c", "d"])):
        bad = copy.deepcopy(good)
        bad[key] = value
        if check.is_valid(bad):
            suite.fail(f"{key}: {value!r} is taken")
    for key in ("policy", "verdict", "row", "said", "strength"):
        bad = copy.deepcopy(good)
        del bad[key]
        if check.is_valid(bad):
            suite.fail(f"an answer without {key!r} is taken")
    if not check.is_valid(good | {"of a later version": 1}):
        suite.fail("a member of a later version is refused")


def main() -> int:
    return suite.main([(test.__name__.replace("_", " "), test)
                       for test in (every_answer_fits, role_and_plugin_fit, other_answers_do_not_fit)])  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
