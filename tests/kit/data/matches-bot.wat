;; A well-behaved bot for the game of `matches.wat`, in parts: it takes one match.
(memory $memory 1)

(data $name-text (i32.const 64) "taker")

(func $realloc (param $old i32) (param $old-size i32) (param $align i32) (param $size i32) (result i32)
    (i32.const 4096))

(func $name (result i32)
    (i32.store (i32.const 0) (i32.const 64))
    (i32.store (i32.const 4) (i32.const 5))
    (i32.const 0))

(func $play (param $left i32) (param $mine i32) (result i32)
    (i32.const 1))

(export "memory" (memory $memory))
(export "cabi_realloc" (func $realloc))
(export "zoo:matches/bot@0.1.0#name" (func $name))
(export "zoo:matches/bot@0.1.0#play" (func $play))
