ALLOWED_BINARIES = frozenset({
    # Phase 2, ADR-0001
    "git",
    "rg",
    "docker buildx",
    "jq",
})
