#!/bin/sh
# Builds the bot as a component, first-bot.wasm.
#
# The first build makes the folder .venv and installs the tools of requirements.txt there, from PyPI: a C compiler for
# WebAssembly (ziglang, which is clang) and wasm-tools.
set -eu
cd "$(dirname "$0")"

. ./tools.sh

mkdir -p .build
# ziglang defines NDEBUG when it optimises. That would remove the assertions, so it is undefined.
.venv/bin/python -m ziglang cc -target wasm32-wasi -mexec-model=reactor -std=c11 -Wall -Wextra -O2 -UNDEBUG \
    bot.c arena.c adapter/*.c -o .build/core.wasm
.venv/bin/wasm-tools component embed wit .build/core.wasm -o .build/embedded.wasm
.venv/bin/wasm-tools component new .build/embedded.wasm \
    --adapt wasi_snapshot_preview1=wit/wasi_snapshot_preview1.reactor.wasm -o .build/component.wasm
# Removes the debug sections. The names of functions stay, so that a fault names them.
.venv/bin/wasm-tools strip .build/component.wasm -o .build/stripped.wasm
mv .build/stripped.wasm first-bot.wasm
echo "built first-bot.wasm"
