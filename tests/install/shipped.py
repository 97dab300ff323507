"""What ships. A module of the tests of what is installed and of the package."""

from __future__ import annotations

import suite

# By folder below the prefix. A new file that ships has a line here.
FILES: dict[str, str] = {
    "bin": "allowc allowc-gen-tree-digest allowc-gen-typescript",
    "share/allowc/github": "allowc.yml review",
    "share/allowc/schema": " ".join(sorted(path.name for path in (suite.ROOT / "packaging/schema").iterdir())),
    "share/allowc/std": " ".join(sorted(path.name for path in (suite.ROOT / "policies/std").iterdir())),
    "share/bash-completion/completions": "allowc",
    "share/cmake/allowc": "allowc-config-version.cmake allowc-config.cmake allowc-depfile.cmake allowc-program.cmake",
    "share/doc/allowc": "README.md ARCHITECTURE.md CONTRIBUTING.md",
    "share/doc/allowc/adr": " ".join(sorted(path.name for path in (suite.ROOT / "adr").glob("*.md"))),
    **{f"share/doc/allowc/adr/{phase.name}": " ".join(sorted(path.name for path in phase.iterdir()))
       for phase in sorted((suite.ROOT / "adr").glob("phase*"))},
    "share/doc/allowc/policies": "phase2.allow phase3.allow phase7.allow",
    "share/doc/allowc/policies/std": " ".join(sorted(path.name for path in (suite.ROOT / "policies/std").iterdir())),
    "share/doc/allowc/docs": " ".join(sorted(path.name for path in (suite.ROOT / "docs").glob("*.md"))),
    "share/doc/allowc/grammar": "README.md",
    "share/doc/allowc/packaging/builds": "README.md",
    "share/fish/vendor_completions.d": "allowc.fish",
    "share/man/man1": "allowc.1",
    "share/man/man5": "allow.5",
    "share/man/man7": "allowc-diagnostics.7",
    "share/pkgconfig": "allowc.pc",
    "share/vim/vimfiles/ftdetect": "allow.vim",
    "share/vim/vimfiles/syntax": "allow.vim",
    "share/zsh/site-functions": "_allowc",
}
PROGRAMS = {"bin/allowc", "bin/allowc-gen-tree-digest", "bin/allowc-gen-typescript", "share/allowc/github/review"}


def shipped() -> list[str]:
    """All files, below the prefix, sorted."""
    return sorted(f"{folder}/{name}" for folder, names in FILES.items() for name in names.split())
