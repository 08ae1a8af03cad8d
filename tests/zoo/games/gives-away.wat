;; One match more or less is said to be hidden, and players see it.
(func $resample (param $state i32) (param $viewer i32) (param $seed i64) (result i32)
    (call $new-handle (call $state
        (i32.add (i32.load (local.get $state)) (i32.const 1))
        (i32.load offset=4 (local.get $state)))))
