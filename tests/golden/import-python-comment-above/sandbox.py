#!/usr/bin/env python3
# Tools of the sandbox.

# What may be run,
# see ADR-0004.
ALLOWED = {
    "git",
    # Images, ADR-0007
    "dive",
}
