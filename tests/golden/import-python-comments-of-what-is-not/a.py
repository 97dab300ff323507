ALLOWED = {
    "git",  # TODO
    # "strace", removed by ADR-0004
    "jq",
    # Not what ADR-0009 wanted
    "rg",  # TODO: pin it
    # Phase 3, ADR-0012
    "fd",  # finds files
    "nothing-lost",  # Todoist needs it
}
