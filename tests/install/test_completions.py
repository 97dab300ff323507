#!/usr/bin/env python3
"""What bash, zsh and fish complete, asked without a terminal: it is what --help and the messages say."""

import os
import pty
import re
import shlex
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402

MADE = suite.BUILD / "packaging" / "completions"

# Reads lines as typed and, behind \x1e, their words as readline cuts them, each ended by \x1f. Answers "= LINE" and
# the words offered, one a line.
BASH = r"""
. "$1"
complete -p allowc >/dev/null || exit
function=$(complete -p allowc | sed 's/.*-F \([^ ]*\).*/\1/')
while IFS= read -r line; do
	IFS=$'\x1f' read -ra COMP_WORDS <<<"${line#*$'\x1e'}"
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
	"$function" allowc
	printf '= %s\n' "${line%%$'\x1e'*}"
	printf '%s\n' "${COMPREPLY[@]}"
done
"""

# An interactive zsh without a user's files: its first prompt asks for all lines and ends it. `compadd -O` says which
# words match, and $IPREFIX what of the word stands before them.
ZSH = r"""
fpath=($ZDOTDIR $fpath)
autoload -Uz compinit
compinit -D -u
compadd() {
	local -a found
	builtin compadd -O found "$@"
	(( $#found )) && print -rl -- $IPREFIX$^found >>$ANSWERS
	builtin compadd "$@"
}
ask() {
	local line
	while IFS= read -r line; do
		BUFFER=$line CURSOR=$#line
		print -r -- "= $line" >>$ANSWERS
		zle list-choices
	done <$QUESTIONS
	exit 0
}
zle -N zle-line-init ask
"""

FISH = r"""
source $argv[1]
while read -l line
	echo "= $line"
	complete -C "$line"
end
"""


def answers(text):
    """{line: the words offered}, from "= LINE" and a word a line."""
    found = {}
    for line in text.splitlines():
        if line.startswith("= "):
            offered = found.setdefault(line[2:], set())
        elif line:
            offered.add(line)
    return found


def readline_words(line, breaks="="):
    """The words of a line, each of the `breaks` one of its own; the last one is empty behind a blank."""
    words = []
    for word in line.split(" "):
        words += ([part for part in re.split(f"([{breaks}])", word) if part] if breaks else [word]) or [""]
    return words


def ask_bash(lines, folder, environment, breaks="="):
    typed = "".join(f"{line}\x1e" + "".join(f"{word}\x1f" for word in readline_words(line, breaks)) + "\n"
                    for line in lines)  # fmt: skip
    done = subprocess.run(["bash", "--norc", "-c", BASH, "bash", MADE / "bash/allowc"], input=typed, text=True,
                          cwd=folder, env=environment, capture_output=True, timeout=60)  # fmt: skip
    suite.same("what bash complains of", done.stderr, "")
    return answers(done.stdout)


def drain(terminal):
    try:
        while os.read(terminal, 4096):
            pass
    except OSError:
        pass


def ask_zsh(lines, folder, environment):
    suite.need("zsh")
    with suite.scratch() as home:
        (home / ".zshrc").write_text(ZSH, encoding="utf-8")
        (home / "_allowc").write_bytes((MADE / "zsh/_allowc").read_bytes())
        (home / "questions").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        terminal, inner = pty.openpty()
        zsh = subprocess.Popen(["zsh", "-i"], stdin=inner, stdout=inner, stderr=inner, cwd=folder,
                               start_new_session=True,
                               env={**environment, "ZDOTDIR": str(home), "TERM": "dumb", "ANSWERS": f"{home}/answers",
                                    "QUESTIONS": f"{home}/questions"})  # fmt: skip
        os.close(inner)
        reader = threading.Thread(target=drain, args=(terminal,))
        reader.start()
        try:
            suite.same("zsh's exit status", zsh.wait(timeout=60), 0)
        finally:
            zsh.kill()
            reader.join()
            os.close(terminal)
        return answers((home / "answers").read_text(encoding="utf-8"))


def ask_fish(lines, folder, environment):
    suite.need("fish")
    done = subprocess.run(["fish", "--no-config", "-c", FISH, MADE / "fish/allowc.fish"], text=True, cwd=folder,
                          input="".join(f"{line}\n" for line in lines), env={**environment, "HOME": str(folder)},
                          capture_output=True, timeout=60)  # fmt: skip
    suite.same("what fish complains of", done.stderr, "")
    return {line: {word.split("\t")[0] for word in words} for line, words in answers(done.stdout).items()}


SHELLS = {"bash": ask_bash, "zsh": ask_zsh, "fish": ask_fish}


# ---- what is to be offered, from the program's own words ----


def told(*arguments, expect=0):
    done = suite.run([*suite.program(), *arguments], expect=expect)
    return done.stdout + done.stderr


def commands():
    return re.findall(r"^allowc ([a-z-]+)", told("--help"), re.M)


def options_of(command):
    """Those of its --help; git starts git-diff, and its own flag is git's."""
    text = told(*command.split(), "--help")
    rows = re.findall(r"^  (?:(-[a-zA-Z])(?:, )?|    )(--[a-z-]+)?(?:\[=([a-z]+)\]|[A-Z]+)?(?: |$)",
                      text.partition("Options:\n")[2], re.M)  # fmt: skip
    found = {word for short, long, _ in rows for word in (short, long) if word}
    found |= {f"{long}={word}" for _, long, word in rows if word}
    return found or {"-h", "--help"}


def words_of(command, option):
    """What the message about a wrong value lists."""
    message = told(*command.split(), option, "?", expect=2)
    suite.same(f"a message that lists words: {message}", " it is '" in message, True)
    return set(re.findall(r"'([a-z-]+)'", message.partition(" it is ")[2].splitlines()[0]))


def diagnostics():
    rows = re.findall(r"X\([A-Z_]+, \"([a-z-]+)\", [A-Z]+, (FIXED|OPEN),",
                      (suite.ROOT / "compiler/base/diag_list.h").read_text(encoding="utf-8"))  # fmt: skip
    return {name for name, _ in rows}, {name for name, change in rows if change == "OPEN"}


def artifacts():
    return set(re.findall(r"^  ([a-z-]+) +\*? +[A-Za-z/.0-9]+: ", told("--help"), re.M))


def behind(before, words):
    return {before + word for word in words}


def expected():
    """{line: what all shells offer for it}."""
    every, open_names = diagnostics()
    places = {"p.allow", "q.allow", "sub"}
    emitted = artifacts() | {"all", "mine"}
    lines = {f"allowc {command} -": options_of(command) for command in commands()}
    lines["allowc -"] = options_of("")
    for command, option in (("check", "--color"), ("check", "--diagnostics"), ("diff", "--format"), ("diff", "--by"),
                            ("adr", "--format"), ("explain", "--format"), ("gate", "--format"), ("gate", "--fail-on"),
                            ("gate", "--allow")):  # fmt: skip
        lines[f"allowc {command} {option} "] = words_of(command, option)
    return lines | {
        "allowc ": set(commands()) | places,
        "allowc -q ": places,
        "allowc che": {"check"},
        "allowc p": {"p.allow"},
        "allowc check ": places,
        "allowc check p.allow ": places,
        "allowc check p.allow --color=always ": places,
        "allowc list --layer phase2 ": places,
        "allowc fmt -- ": places,
        "allowc import ": places | {"notes.txt"},
        "allowc -o ": {"sub"},
        "allowc --depfile ": places | {"notes.txt"},
        "allowc list --layer ": set(),
        "allowc git-setup ": set(),
        "allowc adr ": {"list", "check"},
        "allowc adr list ": {"sub"},
        "allowc adr --format tsv list ": {"sub"},
        "allowc explain adr-": {name for name in every if name.startswith("adr-")},
        "allowc explain ": every | places,
        "allowc check -W ": open_names | {"all", "error", "no-error"},
        "allowc check -Wadr-": {f"-W{name}" for name in open_names if name.startswith("adr-")},
        "allowc check -Wno-": behind("-Wno-", open_names | {"error"}),
        "allowc --emit ": emitted,
        "allowc --emit names,+": behind("names,+", emitted),
        "allowc gate --require-adr ": places,
    }


# The same words, behind what the shell puts before them.
SPELT = {
    "allowc check --color=": ("--color=", {"auto", "always", "never"}),
    "allowc gate --require-adr=": ("--require-adr=", {"changed"}),
    "allowc --emit=names,py": ("--emit=", {"names,python"}),
    "allowc check -Werror=adr-si": ("-Werror=", {"adr-silent"}),
    "allowc check -Wno-error=adr-si": ("-Wno-error=", {"adr-silent"}),
}


def project(folder):
    for name in ("p.allow", "q.allow", "notes.txt"):
        (folder / name).write_text("", encoding="utf-8")
    (folder / "sub").mkdir()
    (folder / "bin").mkdir()
    generator = folder / "bin" / "allowc-gen-mine"
    generator.write_text("#!/bin/sh\n", encoding="utf-8")
    generator.chmod(0o755)


def as_zsh_has_it(line, offered, wanted):
    """It offers options where there is nothing else, and what stands behind an option's `=` when that is typed."""
    if line.endswith(" -"):
        return offered, {word for word in wanted if "=" not in word}
    return {word for word in offered if "=" in word or not re.fullmatch("--?[a-z-]+", word) or word in wanted}, wanted


def differences(shell, answered, lines):
    for line, wanted in lines.items():
        offered = {word.rstrip("/") for word in answered.get(line, ())}
        if shell == "zsh":
            offered, wanted = as_zsh_has_it(line, offered, wanted)
        if offered != wanted:
            yield f"{shlex.quote(line)}\n  not offered: {sorted(wanted - offered)}\n  too much: {sorted(offered - wanted)}"


def asked(shell, lines, **settings):
    """In a folder with two policies, another file, and beside it a generator on PATH."""
    with suite.scratch() as scratch:
        folder = scratch / "project"
        folder.mkdir()
        project(folder)
        (folder / "bin").rename(scratch / "bin")
        environment = {**suite.ENVIRONMENT, "PATH": f"{scratch}/bin:{suite.ENVIRONMENT['PATH']}"}
        return SHELLS[shell](list(lines), folder, environment, **settings)


def offers_what_the_program_takes(shell):
    lines = expected()
    found = list(differences(shell, asked(shell, lines), lines))
    if found:
        suite.fail("\n".join(found))


def completes_behind_an_equals_sign(shell):
    """bash's readline cuts the word there and takes the rest alone."""
    lines = {line: words if shell == "bash" else behind(before, words) for line, (before, words) in SPELT.items()}
    found = list(differences(shell, asked(shell, lines), lines))
    if found:
        suite.fail("\n".join(found))


def uncut_words():
    """Where COMP_WORDBREAKS lacks the `=`, bash has the whole word."""
    lines = {line: behind(before, words) for line, (before, words) in SPELT.items()}
    found = list(differences("bash", asked("bash", lines, breaks=""), lines))
    if found:
        suite.fail("\n".join(found))


def names_that_no_generator_has():
    """A file on PATH is a name to bash, never a command: what the name holds is not run."""
    with suite.scratch() as scratch:
        for name in ("good", "$(touch run)", "`touch run`", "a b", "A"):
            (scratch / f"allowc-gen-{name}").write_text("#!/bin/sh\n", encoding="utf-8")
            (scratch / f"allowc-gen-{name}").chmod(0o755)
        environment = {**suite.ENVIRONMENT, "PATH": f"{scratch}:{suite.ENVIRONMENT['PATH']}"}
        line = "allowc --emit "
        suite.same("what is offered", ask_bash([line], scratch, environment)[line], artifacts() | {"all", "good"})
        suite.same("what a name has run", (scratch / "run").exists(), False)


def sourced_twice():
    """A shell's start-up files may read it again."""
    made = MADE / "bash/allowc"
    done = suite.run(["bash", "--norc", "-euc", f". {shlex.quote(str(made))}; . {shlex.quote(str(made))}; complete -p allowc"])
    suite.same("bash's words", done.stdout, "complete -F _allowc allowc\n")


def main():
    tests = []
    for shell in SHELLS:
        tests += [
            (f"{shell}: offers what the program takes", partial(offers_what_the_program_takes, shell)),
            (f"{shell}: completes behind an equals sign", partial(completes_behind_an_equals_sign, shell)),
        ]
    tests += [("bash: words that are not cut", uncut_words), ("bash: sourced twice", sourced_twice),
              ("bash: names that no generator has", names_that_no_generator_has)]  # fmt: skip
    return suite.main(tests, jobs=2)


if __name__ == "__main__":
    sys.exit(main())
