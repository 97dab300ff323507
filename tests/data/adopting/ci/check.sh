#!/bin/sh
set -eu
for plugin in plugins/*; do
	(cd "$plugin" && sha256sum --quiet --check tree.sha256)
	for tool in $(sed -n 's/^    - //p' "$plugin/plugin.yaml"); do
		grep -q "\"$tool\"" src/harness/tools.py || { echo "$plugin: $tool?" >&2; exit 1; }
	done
done
PYTHONPATH=src python3 -m unittest discover --quiet --start-directory tests
