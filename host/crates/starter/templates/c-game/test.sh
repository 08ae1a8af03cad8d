#!/bin/sh
# Tests the rules natively.
set -eu
cd "$(dirname "$0")"
. ./native.sh
check_memory
compile .build/test_board test_board.c board.c
exec .build/test_board
