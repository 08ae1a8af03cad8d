#!/bin/sh
# Tests the bot on practice boards, natively.
set -eu
cd "$(dirname "$0")"
cc=${CC:-cc}
if ! command -v "$cc" > /dev/null; then
    echo "test.sh: \`$cc\`, a C compiler, is missing
  next: install one, on Debian as root: apt-get install gcc libc6-dev" >&2
    exit 1
fi
mkdir -p .build
# CFLAGS has several options, separated by spaces.
# shellcheck disable=SC2086
"$cc" -std=c11 -Wall -Wextra ${CFLAGS:--O2 -g} -o .build/test_bot test_bot.c bot.c arena.c -lm
# A recorded turn: sh test.sh --view FILE, or in a debugger .build/test_bot --view FILE
.build/test_bot "$@"
