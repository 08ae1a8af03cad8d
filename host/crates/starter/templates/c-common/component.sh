# Makes the component first-bot.wasm of files in C. Used by build.sh, after tools.sh.

component() {
    mkdir -p .build
    # ziglang defines NDEBUG when it optimises. That would remove the assertions, so it is undefined.
    .venv/bin/python -m ziglang cc -target wasm32-wasi -mexec-model=reactor -std=c11 -Wall -Wextra -O2 -UNDEBUG \
        "$@" -o .build/core.wasm
    .venv/bin/wasm-tools component embed wit .build/core.wasm -o .build/embedded.wasm
    .venv/bin/wasm-tools component new .build/embedded.wasm \
        --adapt wasi_snapshot_preview1=wit/wasi_snapshot_preview1.reactor.wasm -o .build/component.wasm
    # Removes the debug sections. The names of functions stay, so that a fault names them.
    .venv/bin/wasm-tools strip .build/component.wasm -o .build/stripped.wasm
    mv .build/stripped.wasm first-bot.wasm
    echo "built first-bot.wasm"
}
