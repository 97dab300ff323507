#!/bin/sh
# Builds the image in the current folder and looks for wasted space in it.
set -eu
docker buildx build --load --tag scanned .
dive --ci scanned
