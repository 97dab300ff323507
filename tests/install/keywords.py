"""The compiler's table of keywords, as its source has it. A module of the tests here."""

from __future__ import annotations

import re

import suite

LIST_PLACES = {"VERB_LIST": "verb", "ATTRIBUTE_LIST": "attribute", "SETTING_LIST": "setting"}


def keywords() -> list[tuple[str, str]]:
    """Each with where it stands: verb, attribute, setting, file or plugin."""
    table = (suite.ROOT / "compiler/policy/keyword.c").read_text(encoding="utf-8")
    table = table.partition("list[] = {")[2].partition("\n};")[0]
    lists = (suite.ROOT / "compiler/policy/ast.h").read_text(encoding="utf-8")
    words = [(word, place.lower()) for word, place in re.findall(r"\{ \"([a-z-]+)\", TOKEN_[A-Z_]+, IN_([A-Z]+) \}", table)]
    for name, place in LIST_PLACES.items():
        body = re.search(rf"#define {name}\(X\)((?:.*\\\n)*.*)", lists)
        if body is None or name not in table:
            suite.fail(f"{name} is not in the table of keywords")
        words += [(word, place) for word in re.findall(r"X\([A-Z_]+, \"([a-z-]+)\"\)", body[1])]
    suite.same("some that are known", {("allow", "verb"), ("tools", "plugin"), ("until", "attribute"), ("hot", "setting"),
                                       ("policy", "file")} - set(words), set())  # fmt: skip
    return words
