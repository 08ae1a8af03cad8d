;; Grows its memory to the cap and writes to every 4 KiB of it in each turn.
(func $play (param $args i32) (result i32)
    (local $at i32)
    (drop (memory.grow (i32.sub (i32.const 1024) (memory.size))))
    (local.set $at (i32.const 0x10000))
    (loop $next
        (i32.store (local.get $at) (i32.const -1))
        (local.set $at (i32.add (local.get $at) (i32.const 4096)))
        (br_if $next (i32.lt_u (local.get $at) (i32.const 0x4000000))))
    (call $sweep (local.get $args)))
