#!/usr/bin/env python3
"""compiler/data/launchers.tsv, tried: each program that can be had runs another one that nobody named to the policy.

The other one is `touch`, which leaves a file. Answers in TAP; who wants a terminal or a network has a reason instead.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402

TABLE = suite.ROOT / "compiler" / "data" / "launchers.tsv"
MARK = "launched"
TOUCH = f"touch {MARK}"
WORDS = ["touch", MARK]
SHELL = ["-c", TOUCH]

# The words after the program; where a list begins with a file's name and ends with "<", its text comes first.
RUNS: dict[str, list[str]] = {
    **{shell: SHELL for shell in ("bash", "csh", "dash", "fish", "ksh", "mksh", "rbash", "sh", "tcsh", "zsh")},
    **{awk: [f'BEGIN {{ system("{TOUCH}") }}'] for awk in ("awk", "gawk", "mawk")},
    **{plain: WORDS for plain in ("busybox", "env", "ionice", "nice", "nohup", "setpriv", "time", "toybox")},
    **{python: ["-c", f"import os; os.system('{TOUCH}')"] for python in ("python", "python3")},
    **{traced: ["-o", os.devnull, *WORDS] for traced in ("ltrace", "strace")},
    **{editor: ["-u", "NONE", "-i", "NONE", "-es", f"+!{TOUCH}", "+q!"] for editor in ("ex", "nvim", "vi", "vim")},
    "bwrap": ["--dev-bind", "/", "/", *WORDS],
    "capsh": ["--", *SHELL],
    "chroot": ["/", "sh", "-c", "cd \"$1\" && touch \"$2\"", "sh", "{}", MARK],
    "chrt": ["--other", "0", *WORDS],
    "cmake": ["-P", "script.cmake"],
    "ed": ["-s"],
    "expect": ["-c", f"spawn -noecho {TOUCH}; expect eof"],
    "find": [".", "-maxdepth", "0", "-exec", *WORDS, ";"],
    "flock": ["lock", *WORDS],
    **{debugger: ["-batch", "-nx", "-ex", f"shell {TOUCH}"] for debugger in ("gdb", "gdb-multiarch")},
    "git": ["-c", f"alias.x=!{TOUCH}", "x"],
    "guile": ["--no-auto-compile", "-c", f'(system "{TOUCH}")'],
    "ld.so": ["/usr/bin/touch", MARK],
    "java": ["Launch.java"],
    "lua": ["-e", f'os.execute("{TOUCH}")'],
    "make": ["-f", "rules.mk"],
    "ninja": ["-f", "rules.ninja"],
    **{node: ["-e", f"require('child_process').execSync('{TOUCH}')"] for node in ("node", "nodejs")},
    "npm": ["run", "--silent", "launch"],
    "npx": ["-c", TOUCH],
    "nsenter": ["--uts=/proc/self/ns/uts", *WORDS],
    "parallel": ["--will-cite", "touch", ":::", MARK],
    "perf": ["stat", "-e", "task-clock", "-o", os.devnull, *WORDS],
    "perl": ["-e", f'system "{TOUCH}"'],
    "php": ["-r", f'system("{TOUCH}");'],
    "pytest": ["-q", "-p", "no:cacheprovider", "test_launch.py"],
    "rsync": ["-e", f"sh -c '{TOUCH}'", "host:file", "here"],
    "ruby": ["-e", f'system "{TOUCH}"'],
    "runuser": ["-u", "root", "--", *WORDS],
    "screen": ["-D", "-m", *WORDS],
    "script": ["-q", "-c", TOUCH, os.devnull],
    "sed": ["-n", f"1e {TOUCH}", "rules.mk"],
    "setarch": [platform.machine(), *WORDS],
    "setsid": ["--wait", *WORDS],
    "socat": ["-u", f"EXEC:{TOUCH}", "-"],
    "sqlite3": [":memory:", f".shell {TOUCH}"],
    "ssh": ["-o", f"ProxyCommand={TOUCH}", "-o", "BatchMode=yes", "host.invalid"],
    "stdbuf": ["-o0", *WORDS],
    "su": ["-s", "/bin/sh", "root", "-c", "cd \"$0\" && touch \"$1\"", "{}", MARK],
    "sudo": ["-n", *WORDS],
    "tar": ["-cf", os.devnull, "--checkpoint=1", f"--checkpoint-action=exec={TOUCH}", "rules.mk"],
    "taskset": ["--cpu-list", "{cpu}", *WORDS],
    "tclsh": ["script.tcl"],
    "timeout": ["10", *WORDS],
    "tmux": ["-f", os.devnull, "-S", "socket", "start-server", ";", "run-shell", TOUCH],
    "unshare": ["--uts", *WORDS],
    "valgrind": ["--tool=none", "--quiet", *WORDS],
    "xargs": WORDS,
    "zip": ["-q", "-T", "-TT", f"{TOUCH} #", "x.zip", "rules.mk"],
}  # fmt: skip
FILES = {
    "script.cmake": f"execute_process(COMMAND touch {MARK})\n",
    "script.tcl": f"exec touch {MARK}\n",
    "test_launch.py": f"import os\n\n\ndef test_launch():\n    os.system('{TOUCH}')\n",
    "rules.mk": f"all:\n\t@touch {MARK}\n",
    "rules.ninja": f"rule touch\n  command = touch $out\nbuild {MARK}: touch\n",
    "package.json": '{"name": "x", "version": "1.0.0", "scripts": {"launch": "touch %s"}}\n' % MARK,
    "Launch.java": "class Launch { public static void main(String[] a) throws Exception {\n"
                   f'new ProcessBuilder("touch", "{MARK}").start().waitFor(); }} }}\n',
}  # fmt: skip
# Tried where they are; nobody should have to install hundreds of packages for it.
HEAVY = ("java", "npm", "npx")
INPUT = {"ed": f"!{TOUCH}\nq\n", "xargs": "\n"}
# What else a program needs before it asks about words: a machine of its own, a daemon, a terminal, a network.
REASONS = {
    "ash": "another name of a shell of busybox",
    "at crontab": "a daemon runs it later, by at(1) and crontab(5)",
    "bun coreutils deno kubectl nerdctl pnpm pwsh uv yarn": "Debian 12 has no such package: what its manual says",
    "crun docker runc systemd-nspawn": "tried in test_engines.py, with a container each",
    "doas": "/etc/doas.conf decides: doas(1)",
    "cargo emacs go podman pypy3": "its packages have hundreds of megabytes: what its manual says",
    "ip": "a namespace of a name must be there: ip-netns(8)",
    "less watch": "it wants a terminal: less(1), watch(1)",
    "ncat": "it runs the program for a caller of a network: ncat(1)",
    "pip pip3": "pip-install(1): setup.py of a package that is built",
    "pkexec": "it asks polkit, which is not there in a container: pkexec(1)",
    "psql": "it asks a server before it reads commands: psql(1)",
    "tcpdump": "it runs the program where a capture goes on in another file, as another user: tcpdump(8)",
    "tox": "it makes an environment of packages first, from a network: tox.wiki",
    "systemd-run": "it asks systemd, which is not there in a container: systemd-run(1)",
}
UNTRIED = {program: reason for programs, reason in REASONS.items() for program in programs.split()}


def launchers() -> list[str]:
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return [line.split("\t")[0] for line in lines if not line.startswith("#")]


def runs_another(program: str) -> None:
    suite.need(program)
    with suite.scratch() as folder:
        for path, text in FILES.items():
            (folder / path).write_text(text, encoding="utf-8")
        cpu = str(min(os.sched_getaffinity(0)))
        words = [word.replace("{}", str(folder)).replace("{cpu}", cpu) for word in RUNS[program]]
        environment = suite.ENVIRONMENT | {"HOME": str(folder), "TERM": "dumb"}
        done = subprocess.run([program, *words], cwd=folder, env=environment, input=INPUT.get(program, ""),
                              capture_output=True, text=True, timeout=120)  # fmt: skip
        if not (folder / MARK).exists():
            suite.fail(f"nothing was run; exit status {done.returncode}: {done.stdout[-300:]}{done.stderr[-600:]}")


def every_launcher_is_tried() -> None:
    table = set(launchers())
    suite.same("neither tried nor said why not", sorted(table - set(RUNS) - set(UNTRIED)), [])
    suite.same("tried, but not in the table", sorted((set(RUNS) | set(UNTRIED)) - table), [])
    suite.same("tried, and not", sorted(set(RUNS) & set(UNTRIED)), [])


def main() -> int:
    tests = [(program, partial(runs_another, program)) for program in sorted(RUNS)
             if program not in HEAVY or shutil.which(program)]  # fmt: skip
    return suite.main([*tests, ("every launcher has a trial, or a reason", every_launcher_is_tried)], jobs=2)


if __name__ == "__main__":
    sys.exit(main())
