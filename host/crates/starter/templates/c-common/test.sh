#!/bin/sh
# Tests the bot natively.
set -eu
cd "$(dirname "$0")"
. ./native.sh
check_memory
compile .build/test_bot test_bot.c practice.c bot.c arena.c
exec .build/test_bot
