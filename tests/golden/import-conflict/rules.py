FORBIDDEN = {
    "strace": "tracing belongs to the host",  # ADR-0015
}
