;; Has a name of one letter with ten thousand accents.
(memory $memory 1)
(func $name (result i32)
    (local $at i32)
    (i32.store8 (i32.const 8192) (i32.const 0x5a))
    (local.set $at (i32.const 8193))
    (loop $next
        (i32.store16 (local.get $at) (i32.const 0x81cc))
        (local.set $at (i32.add (local.get $at) (i32.const 2)))
        (br_if $next (i32.lt_u (local.get $at) (i32.const 28193))))
    (call $pair (i32.const 8192) (i32.const 20001)))
