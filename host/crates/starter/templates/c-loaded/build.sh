#!/bin/sh
# Builds the bot as a component, first-bot.wasm. The first build installs a C compiler and wasm-tools into .venv.
set -eu
cd "$(dirname "$0")"
. ./tools.sh
. ./component.sh

component bot.c any.c adapter/*.c
