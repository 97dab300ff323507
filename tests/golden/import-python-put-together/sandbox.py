from tools import MORE

# What each sandbox has, ADR-0001
CORE = frozenset({
    "git",  # clones
    "strace",
})
NEEDS = ["node", ("docker", "buildx")]
REASONS = {"jq": "ADR-0002: reads answers", "rg": "searches"}
# For developers
DEV = CORE | {
    "gdb",
    # Images, ADR-0003
    "dive",  # layers
} | set(REASONS)
ALLOWED = frozenset(
    DEV.copy()
    .union({"fd"}, NEEDS + ["yarn"], [*REASONS, "hexyl"])  # ADR-0009
    # the rest
    | (set(sorted(NEEDS)) | {"bat"})
)
FORBIDDEN = {**{"su": "root"}, "sudo": "root as well"} | {"doas": "likewise"}
EXTRA = ALLOWED
SHORT = [
    *CORE,  # ADR-0008 is of all of them
    ("podman", *REASONS),
    "fzf",
]
