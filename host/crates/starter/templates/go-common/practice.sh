#!/bin/sh
# Builds the practice program, .build/practice, and runs it. The first run installs Go into .venv. `sh practice.sh -h` prints the
# options.
set -eu
cd "$(dirname "$0")"
command -v arena > /dev/null || {
    echo "$0: arena is missing; it installs Go
  next: put its folder on your PATH" >&2
    exit 1
}
arena build --tools

# Use exactly this Go, and download nothing if the bot has no dependencies.
export GOTOOLCHAIN=local GOFLAGS=-mod=mod
[ -e go.sum ] || export GOPROXY=off

mkdir -p .build
.venv/bin/go build -o .build/practice .
exec .build/practice "$@"
