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
"$cc" -std=c11 -Wall -Wextra -O2 -o .build/test_bot test_bot.c bot.c arena.c
.build/test_bot
