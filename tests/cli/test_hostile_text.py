#!/usr/bin/env python3
"""Text of a policy that breaks careless quoting: each artifact gives it back as it was written."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import contains, equal, needs, passes, test  # noqa: E402

TEXTS = [
    "say \"yes\", 'no' and `perhaps`",
    "\"\"\" ends a docstring, and so does '''",
    "back\\slash, \\n that is none, and one at the end \\",
    "*/ int injected; /* and // too",
    "trigraphs ??/ ??= ??) ??' ????/",
    "{{ template }} {% block %} ${HOME} $(id)",
    "%s %n %d %% %",
    "caf\u00e9 \u2192 \u732b \U0001f600 \u0130\u0131, composed e\u0301",
    "two\nlines and\ta tab\n",
    "#define x y\n#include <stdio.h>",
    "\\u0041 \\x41 \\101 \\N{DIGIT ONE} 0\u00e91 a\u00e9b",
    "- item: [x, &a *b !c] # no comment",
    "</script><!-- & &amp; ]]>",
    "f\"{1/0}\" \" + 1/0 + \"",
    " blanks around ",
    "invisible \u00a0\u200b\u2028 stay in strings",
    "?" + "\u00e9\"\\?" * 999 + "end",  # 4,000 characters
    "x" * 4000,
]

# Commands, and so tools of a plugin, may hold nearly every character of ASCII; these are traps of YAML too.
COMMANDS = ["it's", "say\"hi\"", "back\\slash", "%s", "{{x}}", "$HOME", "a#b", "a:", "yes", "null", "~", "1.0",
            "0x1F", "1e3", "2026-01-01", "12:30", "[", "{}", "&a", "!x", "|", ">", "%", "`x`", "=", "<<",
            ".inf", "on", "No", "TRUE", "a,b", "0o17", "_1", "1_000"]


def string(text):
    """As the language writes it."""
    for plain, escaped in (("\\", "\\\\"), ("\"", "\\\""), ("\n", "\\n"), ("\t", "\\t")):
        text = text.replace(plain, escaped)
    return f'"{text}"'


def policy():
    lines = ["policy hostile", f"title {string(TEXTS[0] + TEXTS[3] + TEXTS[4])}"]
    for verb, name in (("allow", "a"), ("forbid", "f"), ("decline", "d")):
        for i, text in enumerate(TEXTS):
            instead = "" if verb == "allow" else f"  instead {string(text)}"
            lines.append(f"{verb} {name}{i}  adr 0001  because {string(text)}{instead}")
    return "\n".join(lines) + "\n"


def compiled(text=None, name="hostile.allow"):
    Path(name).write_text(policy() if text is None else text, encoding="utf-8")
    passes("-q", "-Wno-adr-unchecked", "-Wno-oci-replaces-default", "--emit", "all", f"./{name}")


def wanted_rows():
    rows = [(f"a{i}", text, "") for i, text in enumerate(TEXTS)]
    return rows + [(f"f{i}", text, text) for i, text in enumerate(TEXTS)]


def printed_by(compiler, standard):
    source = suite.ROOT / "tests" / "use" / "reasons.c"
    language = ["-x", "c++"] if "++" in standard else []
    subprocess.run([*compiler, *language, f"-std={standard}", "-Wall", "-Wextra", "-pedantic", "-Wconversion", "-Werror",
                    "-I", "generated", source, "-o", "print"], check=True)
    output = subprocess.run(["./print"], stdout=subprocess.PIPE, check=True).stdout
    return output.decode("utf-8").split("\0")[:-1]


def through(compiler, standards):
    compiled()
    rows = wanted_rows()
    wanted = [text for row in rows for text in row] + [text for row in rows for text in row[:2]]
    for standard in standards:
        equal(printed_by(compiler, standard), wanted, standard)


@test
def reasons_through_c():
    through(shlex.split(os.environ.get("CC", "cc")), ("c99", "c11"))


@test
@needs("g++")
def reasons_through_c_plus_plus():
    through(["g++"], ("c++11", "c++20"))


@test
@needs("clang", "clang++")
def reasons_through_clang():
    through(["clang"], ("c99",))
    through(["clang++"], ("c++11",))


def python(script):
    done = subprocess.run([sys.executable, "-B", "-W", "error", "-c", f"import hostile, json\n{script}"], cwd="generated",
                          stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


@test
def reasons_through_python():
    compiled()
    equal(python("print(json.dumps(dict(hostile.FORBIDDEN_BINARIES)))"), {f"f{i}": text for i, text in enumerate(TEXTS)})
    equal(python("print(json.dumps(dict(hostile.DECLINED_BINARIES)))"), {f"d{i}": text for i, text in enumerate(TEXTS)})


@test
def reasons_and_title_through_json():
    compiled()
    data = json.loads(Path("generated/hostile.json").read_text(encoding="utf-8"))
    equal(data["title"], TEXTS[0] + TEXTS[3] + TEXTS[4])
    rows = [(row["subject"], row["reason"], row.get("instead", "")) for row in data["rows"] if row["verb"] != "decline"]
    equal(rows, wanted_rows())


def with_plugin():
    quoted = ", ".join(string(command) for command in COMMANDS)
    compiled("policy hostile\n"
             f'allow {quoted}  adr 0001  because "x"\n'
             f"plugin a--b {{\n    tools {quoted}\n}}\n"
             f"plugin c--d {{\n    optional {quoted}\n}}\n")


@test
def names_through_yaml():
    try:
        import yaml
    except ImportError:
        raise suite.Skip("needs python3-yaml") from None
    with_plugin()
    for plugin, key in (("a--b", "external_tools"), ("c--d", "optional")):
        text = Path(f"generated/plugins/{plugin}/plugin.yaml").read_text(encoding="utf-8")
        equal(yaml.safe_load(text)["requirements"][key], COMMANDS, plugin)


@test
def names_through_python_json_and_names():
    with_plugin()
    equal(python("print(json.dumps(sorted(hostile.ALLOWED_BINARIES)))"), sorted(COMMANDS))
    equal(python("print(json.dumps(hostile.EXTERNAL_TOOLS['a--b']))"), COMMANDS)
    data = json.loads(Path("generated/hostile.json").read_text(encoding="utf-8"))
    equal([row["subject"] for row in data["rows"]], COMMANDS)
    equal(Path("generated/hostile.names").read_text(encoding="utf-8").splitlines(), COMMANDS)


@test
def names_through_c():
    with_plugin()
    texts = printed_by(shlex.split(os.environ.get("CC", "cc")), "c99")
    equal(texts[0 : 3 * len(COMMANDS) : 3], COMMANDS)


@test
def a_file_name_is_quoted_too():
    name = "*?? \"q\" 'p' \\ %s {{ x }}\n\u00e9.allow"
    compiled(name=name)
    equal(len(printed_by(shlex.split(os.environ.get("CC", "cc")), "c99")) > 0, True)
    python("print(len(hostile.FORBIDDEN_BINARIES))")
    equal(json.loads(Path("generated/hostile.json").read_text(encoding="utf-8"))["file"], name)
    for path in Path("generated").glob("hostile.[!bjn]*"):
        if path.suffix not in (".sha256", ".json"):
            contains(path.read_text(encoding="utf-8")[:400], "Generated by allowc from")


@test
def a_profile_of_a_hostile_policy_is_yaml():
    """Its name and its file's name are all that the policy's author writes into it."""
    try:
        import yaml
    except ImportError:
        raise suite.Skip("needs python3-yaml") from None
    for name in ("yes", "null", "on", "a_b-c_-"):
        file = f"- {name}: [x, &a *b !c] # \n\u00e9.allow"
        compiled(policy().replace("policy hostile", f"policy {name}"), file)
        text = Path(f"generated/{name}.spo.yaml").read_text(encoding="utf-8")
        contains(text, "Generated by allowc from")
        profile = yaml.safe_load(text)
        equal(profile["metadata"], {"name": name.replace("_", "-").rstrip("-")})
        equal(profile["spec"], json.loads(Path(f"generated/{name}.seccomp.json").read_text(encoding="utf-8")))


tap.main()
