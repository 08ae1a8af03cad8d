;; Loads from all over 32 MiB of memory in `play`, each address depending on the load before.
(memory $memory 1000)
(func $play (param $args i32) (result i32)
    (local $at i32)
    (loop $again
        (local.set $at (i32.and (i32.const 0x1fffffc) (i32.add
            (i32.mul (local.get $at) (i32.const 1664525))
            (i32.add (i32.const 1013904223) (i32.load offset=8192 (local.get $at))))))
        (i32.store offset=8192 (local.get $at) (i32.const 0))
        (br $again))
    (unreachable))
