"""Which programs the sandbox lets run."""

from __future__ import annotations

from typing import Final

TIMEOUT = 30

ALLOWED_BINARIES: Final[frozenset[str]] = frozenset(
    {
        # Phase 2, ADR-0001
        "git",  # clones the repository
        "rg",  # ADR-0004
        r"ast-grep",
        # fmt: off
        'jq', 'node',  # of neither alone
        # ---- Phase 7, ADR-0015 ----
        # and what came with it
        """dive""",
        "docker "
        "buildx",  # builds "images"
        # ADR-0016 or ADR-0017
        "syft",
        # 3 more
        "mount",
    }
)


def allowed(argv: list[str]) -> bool:
    return argv[0] in ALLOWED_BINARIES
