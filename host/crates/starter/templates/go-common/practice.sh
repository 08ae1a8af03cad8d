#!/bin/sh
# Builds the practice program, .build/practice, and runs it. The first run installs Go into .venv. `sh practice.sh -h` prints the
# options.
set -eu
cd "$(dirname "$0")"
. ./tools.sh

# Use exactly this Go, and download nothing: the bot has no dependencies.
export GOTOOLCHAIN=local GOPROXY=off GOFLAGS=-mod=mod

mkdir -p .build
.venv/bin/go build -o .build/practice .
exec .build/practice "$@"
