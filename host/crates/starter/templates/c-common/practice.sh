#!/bin/sh
# Builds the practice program, .build/practice, and runs it. `sh practice.sh --help` prints the options.
set -eu
cd "$(dirname "$0")"
. ./native.sh
compile .build/practice practice_main.c practice.c bot.c arena.c
exec .build/practice "$@"
