#!/bin/sh
# Builds the bot as a component, first-bot.wasm.
#
# The first build makes the folder .venv and installs the tools of requirements.txt there, from PyPI: a C compiler for
# WebAssembly (ziglang, which is clang) and wasm-tools.
set -eu
cd "$(dirname "$0")"
. ./tools.sh
. ./component.sh

component bot.c arena.c adapter/*.c
