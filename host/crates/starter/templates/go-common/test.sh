#!/bin/sh
# Tests the bot natively, with `go vet` and `go test`. The first run installs Go into .venv.
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

.venv/bin/go vet .
.venv/bin/go test .
