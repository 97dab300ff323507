#!/usr/bin/env python3
"""allowc sync of a manifest as large as nobody writes one by hand."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from in_place import read, with_outputs, write  # noqa: E402
import tap  # noqa: E402
from tap import equal, passes, test  # noqa: E402


@test
def a_manifest_of_50_megabytes_is_edited():
    with_outputs('plugin first "first.yaml" {', "    tools git", "}")
    head = "name: first\nrequirements:\n  external_tools:\n    - jq # größe\ndata:\n"
    rest = "  - {key: value, other: \"a text of some length with é\"} # c\n" * 800000
    write("first.yaml", head + rest)
    passes("sync", "-q", "p1.allow")
    equal(read("first.yaml") == head.replace("jq # größe", "git") + rest, True)


tap.main()
