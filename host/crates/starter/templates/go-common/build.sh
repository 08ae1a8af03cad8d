#!/bin/sh
# Builds the bot as a component, first-bot.wasm. The first build installs Go and wasm-tools into .venv.
set -eu
cd "$(dirname "$0")"
. ./tools.sh

# Use exactly this Go, and download nothing: the bot has no dependencies.
export GOTOOLCHAIN=local GOPROXY=off GOFLAGS=-mod=mod

mkdir -p .build
GOOS=wasip1 GOARCH=wasm .venv/bin/go build -buildmode=c-shared -ldflags=-w -o .build/core.wasm .
.venv/bin/wasm-tools component embed wit .build/core.wasm -o .build/embedded.wasm
.venv/bin/wasm-tools component new .build/embedded.wasm \
    --adapt wasi_snapshot_preview1=wit/wasi_snapshot_preview1.reactor.wasm -o .build/component.wasm
mv .build/component.wasm first-bot.wasm
echo "built first-bot.wasm"
