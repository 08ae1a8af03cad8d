#!/bin/sh
# Builds the game as a component, rock-paper-scissors.wasm.
#
# With rustup, this is `rustup target add wasm32-wasip2` and `cargo build --release --target wasm32-wasip2`. If rustup may
# not install anything (RUSTUP_AUTO_INSTALL=0) or is not there, Debian's Rust builds the target's standard library from source.
set -eu
cd "$(dirname "$0")"
target=wasm32-wasip2
out=${CARGO_TARGET_DIR:-target}
packages="rustc-web cargo-web rust-web-src lld wasi-libc"

fail() {
    echo "build.sh: $1" >&2
    exit 1
}

has_target() {
    ls "$(rustc --print target-libdir --target $target)"/libstd-* > /dev/null 2>&1
}

command -v cargo > /dev/null || fail "cargo is missing. Install Rust 1.95 or later: https://rustup.rs"
if ! has_target && [ "${RUSTUP_AUTO_INSTALL:-1}" != 0 ] && command -v rustup > /dev/null; then
    rustup target add $target || fail "rustup could not add the target $target. Check the network"
fi
if has_target; then
    cargo build --release --target $target --target-dir "$out"
else
    for file in bin/rustc bin/cargo lib/rustlib/src/rust/library/std/Cargo.toml lib/wasm32-wasi/libc.a; do
        [ -e /usr/$file ] || fail "this Rust lacks the target $target.
  next: \`rustup target add $target\`; or, on Debian, as root: apt-get install --no-install-recommends $packages"
    done
    # Debian packages neither wasm-component-ld nor rust-lld; both are in rustup's toolchain.
    PATH="$PATH:$(rustc --print target-libdir)/../bin"
    command -v wasm-component-ld > /dev/null || fail "wasm-component-ld is missing. Install Rust by https://rustup.rs"
    ls "$out/$target"/release/deps/libstd-* > /dev/null 2>&1 ||
        echo "building Rust's standard library first, in some minutes; a CARGO_TARGET_DIR keeps it for other folders"
    # Settings of rustup's toolchain must not reach Debian's.
    env -u RUSTUP_TOOLCHAIN RUSTC_BOOTSTRAP=1 RUSTC=/usr/bin/rustc RUSTFLAGS="-L native=/usr/lib/wasm32-wasi" \
        /usr/bin/cargo build --release -Zbuild-std=std,panic_abort --target $target --target-dir "$out"
fi
cp "$out/$target/release/rock_paper_scissors.wasm" rock-paper-scissors.wasm
echo "built rock-paper-scissors.wasm"
