#!/bin/sh
# Tests the bot on practice boards, natively, and prints its score. The first run installs Go into .venv.
set -eu
cd "$(dirname "$0")"
. ./tools.sh

# Use exactly this Go, and download nothing: the bot has no dependencies.
export GOTOOLCHAIN=local GOPROXY=off GOFLAGS=-mod=mod

# A recorded turn: sh test.sh --view FILE
if [ "${1-}" = --view ]; then
    exec .venv/bin/go run . --view "$2"
fi
.venv/bin/go vet .
.venv/bin/go test .
.venv/bin/go run .
