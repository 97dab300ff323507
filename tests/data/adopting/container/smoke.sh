#!/bin/sh
# Is everything in the image that the harness starts?
status=0
for tool in git ripgrep jq node npm dive docker strace; do
	command -v "$tool" >/dev/null || { echo "missing: $tool" >&2; status=1; }
done
exit $status
