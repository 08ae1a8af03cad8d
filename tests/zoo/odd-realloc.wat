;; Allocates memory for its arguments at odd addresses only.
(func $realloc (param $old i32) (param $old-size i32) (param $align i32) (param $size i32) (result i32)
    (global.set $heap (i32.add (global.get $heap) (i32.and (i32.add (local.get $size) (i32.const 3)) (i32.const -2))))
    (i32.sub (global.get $heap) (i32.add (local.get $size) (i32.const 1))))
