(func $new-initial-state (param $settings i32) (param $count i32) (param $seed i64) (param $starter i32) (result i32)
    (i32.store8 (i32.const 0) (i32.const 0))
    (i32.store (i32.const 4) (call $new-handle (call $state (i32.const 0) (i32.const 2))))
    (i32.const 0))
