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
