;; Reveals in its shots the contents of memory, up to the cap, and of a table that it has never written to.
(memory $memory 500)
(table $fresh 20000 funcref)
(func $look
    (local $at i32) (local $found i64)
    (drop (memory.grow (i32.sub (i32.const 1024) (memory.size))))
    (local.set $at (i32.const 0x10000))
    (loop $next
        (local.set $found (i64.or (local.get $found) (i64.load (local.get $at))))
        (local.set $at (i32.add (local.get $at) (i32.const 512)))
        (br_if $next (i32.lt_u (local.get $at) (i32.const 0x4000000))))
    (call $see (local.get $found))
    (local.set $at (i32.const 0))
    (loop $next
        (if (i32.eqz (ref.is_null (table.get $fresh (local.get $at))))
            (then (call $see (i64.const 1))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br_if $next (i32.lt_u (local.get $at) (table.size $fresh)))))
(func $play (param $args i32) (result i32)
    (if (i64.eqz (global.get $told)) (then (call $look)))
    (call $tell))
