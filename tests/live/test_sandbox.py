#!/usr/bin/env python3
"""phase7.bpf in a real sandbox: bubblewrap hands it to the kernel. Needs root; answers in TAP."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402


def sandboxed(filter_file: Path | None, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs the words in a sandbox with everything of the host, and the filter on descriptor 9."""
    command = ["bwrap", "--dev-bind", "/", "/"]
    if filter_file is None:
        return suite.run([*command, "--", *words], expect=None)
    script = 'exec bwrap --dev-bind / / --seccomp 9 -- "$@" 9<"$FILTER"'
    environment = suite.ENVIRONMENT | {"FILTER": str(filter_file)}
    return suite.run(["sh", "-c", script, "sh", *words], expect=None, environment=environment)


def need_sandbox() -> None:
    if os.geteuid() != 0:
        raise suite.Skip("not root")
    suite.need("bwrap", "strace")
    plain = sandboxed(None, "true")
    if plain.returncode != 0:
        raise suite.Skip(f"bwrap does not run here: {plain.stderr.strip()}")


def main() -> int:
    with suite.scratch() as folder:
        suite.compile_policy("policies/phase7.allow", folder)
        filter_file = folder / "phase7.bpf"

        def strace_traces_without() -> None:
            need_sandbox()
            result = sandboxed(None, "strace", "-o", os.devnull, "true")
            if result.returncode != 0:
                raise suite.Skip(f"strace cannot trace here at all: {result.stderr.strip()}")

        def strace_is_refused() -> None:
            need_sandbox()
            result = sandboxed(filter_file, "strace", "true")
            if result.returncode == 0 or "Operation not permitted" not in result.stderr:
                suite.fail(f"exit status {result.returncode}: {result.stderr}")

        def strace_starts() -> None:
            """The filter refuses what strace needs, not the program: the caveat of the artifact."""
            need_sandbox()
            result = sandboxed(filter_file, "strace", "-V")
            suite.same("exit status", result.returncode, 0)

        def an_audit_refuses_nothing() -> None:
            need_sandbox()
            suite.compile_policy("policies/phase7.allow", folder, "--audit")
            result = sandboxed(folder / "phase7.audit.bpf", "strace", "-o", os.devnull, "true")
            suite.same("exit status and standard error", (result.returncode, result.stderr), (0, ""))

        def true_runs() -> None:
            need_sandbox()
            result = sandboxed(filter_file, "true")
            suite.same("exit status and standard error", (result.returncode, result.stderr), (0, ""))

        return suite.main([
            ("without the filter strace traces", strace_traces_without),
            ("with it strace true fails with EPERM", strace_is_refused),
            ("strace -V still runs", strace_starts),
            ("true runs", true_runs),
            ("under the audit's filter strace traces", an_audit_refuses_nothing),
        ])  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
