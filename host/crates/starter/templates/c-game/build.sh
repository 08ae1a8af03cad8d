#!/bin/sh
# Builds the component first-bot.wasm. Before that, the arena writes the code between the contract in wit/ and contract.c to adapter/.
set -eu
cd "$(dirname "$0")"
. ./tools.sh
. ./component.sh

command -v arena > /dev/null || fail "arena is missing; it writes the code for the types in wit/
  next: put its folder on your PATH"
arena wit wit --bindings adapter
component board.c contract.c adapter/*.c
