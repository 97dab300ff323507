(LATER).add("curl")
# ADR-0001
ALLOWED = {
    "git",
    "jq",
}
# ADR-0002
ALSO_ALLOWED = {
    "git",
}
LATER = {"wget"}
