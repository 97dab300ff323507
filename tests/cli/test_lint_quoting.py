#!/usr/bin/env python3
"""scripts/lint-quoting finds each way round the quoting functions, and only those. Prints TAP."""

import pathlib
import subprocess
import sys
import tempfile

LINT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "lint-quoting"

# A line of a backend that puts policy text in unquoted: each must be found.
BAD = {
    "a member": "strbuf_add_text(out, row->reason);",
    "a format": 'strbuf_printf(out, "%s", row->reason);',
    "a format with a width": 'strbuf_printf(out, "%-*s", 3, row->reason);',
    "a format that is no literal": "strbuf_printf(out, row->reason);",
    "a character": "strbuf_add_char(out, row->reason[0]);",
    "bytes": "strbuf_add(out, row->reason, 3);",
    "a variable": 'const char *text = "x"; text = row->reason; strbuf_add_text(out, text);',
    "one side of a choice": 'strbuf_add_text(out, row->reason ? row->reason : "");',
    "a text made elsewhere": 'const char *t = arena_printf(a, "%s", row->reason); strbuf_add_text(out, t);',
    "a pointer": "void (*f)(struct strbuf *, const char *) = strbuf_add_text; f(out, row->reason);",
    "through a helper": "helper(out, row->reason);",
    "through two helpers": "outer(out, row->reason);",
    "through what a helper returns": "strbuf_add_text(out, returned(row));",
    "a template": "quote_c_template(out, row->reason, policy->identifier);",
    "by hand": "out->bytes[0] = row->reason[0];",
    "by a copy": "memcpy(out->bytes, row->reason, 3);",
    "no strbuf at all": 'artifact_add(e, o, b, "p", row->reason, 3);',
    "in a comment's shadow": "/* strbuf */ strbuf_add_text(out, row->reason); /* quote_c */",
    "another buffer": "strbuf_add_text(&other, row->reason);",
}

# What an honest backend does: none may be found.
GOOD = {
    "a literal": 'strbuf_add_text(out, "a" "b");',
    "a choice of literals": 'strbuf_add_text(out, row->reason ? "a" : "b");',
    "a quoting function": "quote_c(out, row->reason);",
    "numbers": 'strbuf_printf(out, "%u %08x %%s" PRIx64, 1, 2, 3);',
    "a word of a closed set": 'strbuf_printf(out, "%s", verb_word(row->verb));',
    "a variable of literals": 'const char *join = first ? "" : ", "; strbuf_add_text(out, join);',
    "a helper with a literal": 'helper(out, "a");',
    "a helper that returns literals": "strbuf_add_text(out, word(row));",
    "an excuse": "strbuf_add_text(out, row->x); /* lint-quoting: our own */",
    "a call in a comment": "/* strbuf_add_text(out, row->reason); */",
    "a call in a string": 'strbuf_add_text(out, "strbuf_add_text(out, row->reason);");',
}

HELPERS = """
static void helper(struct strbuf *out, const char *text)
{
	strbuf_add_text(out, text);
}

static void outer(struct strbuf *out, const char *text)
{
	helper(out, text);
}

static const char *returned(const struct row *row)
{
	return row->reason;
}

static const char *word(const struct row *row)
{
	return row->reason ? "yes" : "no";
}

static void emit(struct strbuf *out, const struct row *row)
{
	%s
}
"""


def findings(folder, line):
    path = pathlib.Path(folder) / "planted.c"
    path.write_text(HELPERS % line if "%" not in line else HELPERS.replace("%s", line, 1))
    run = subprocess.run([sys.executable, LINT, path], capture_output=True, text=True, check=False)
    assert run.returncode in (0, 1) and not run.stderr, run.stderr
    assert (run.returncode == 1) == bool(run.stdout)
    return run.stdout


def main():
    print(f"1..{len(BAD) + len(GOOD) + 1}")
    number, failed = 0, False
    with tempfile.TemporaryDirectory() as folder:
        for cases, wanted in ((BAD, True), (GOOD, False)):
            for name, line in cases.items():
                found = findings(folder, line)
                number += 1
                passed = bool(found) == wanted
                failed |= not passed
                kind = "found" if wanted else "left alone"
                print(f"{'ok' if passed else 'not ok'} {number} - {kind}: {name}")
                if not passed:
                    print(f"# {line}\n# {found}")
    run = subprocess.run([sys.executable, LINT], capture_output=True, text=True, check=False)
    print(f"{'not ok' if run.returncode else 'ok'} {number + 1} - no backend of the tree is found")
    print("".join(f"# {line}\n" for line in run.stdout.splitlines()), end="")
    return 1 if failed or run.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
