#!/bin/sh
# Tests the bot natively, with `go vet` and `go test`. The first run installs Go into .venv.
set -eu
cd "$(dirname "$0")"
. ./tools.sh

# Use exactly this Go, and download nothing: the bot has no dependencies.
export GOTOOLCHAIN=local GOPROXY=off GOFLAGS=-mod=mod

.venv/bin/go vet .
.venv/bin/go test .
