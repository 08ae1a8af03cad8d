# Compiles for this machine. Used by practice.sh and test.sh.

compile() {
    cc=${CC:-cc}
    if ! command -v "$cc" > /dev/null; then
        echo "$0: \`$cc\`, a C compiler, is missing
  next: install one, on Debian as root: apt-get install gcc libc6-dev" >&2
        exit 1
    fi
    mkdir -p .build
    program=$1
    shift
    # CFLAGS has several options, separated by spaces.
    # shellcheck disable=SC2086
    "$cc" -std=c11 -Wall -Wextra ${CFLAGS:--O2 -g} -o "$program" "$@" -lm
}

# Has the compiler add checks of memory and arithmetic, if it can: a program stops at its first mistake, and names the line.
check_memory() {
    checks="-fsanitize=address,undefined -fno-sanitize-recover=all"
    mkdir -p .build
    echo "int main(void) { return 0; }" > .build/empty.c
    # It has several options.
    # shellcheck disable=SC2086
    if "${CC:-cc}" $checks -o .build/empty .build/empty.c 2> /dev/null && .build/empty 2> /dev/null; then
        CFLAGS="${CFLAGS:--O1 -g} $checks"
        # Memory that is still there at the end is no mistake.
        export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=0}"
    fi
}
