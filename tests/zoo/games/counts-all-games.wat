;; Players see the number of states that were ever made, which is none of the state's.
(func $observe (param $state i32) (param $viewer i32) (result i32)
    (i32.store (i32.const 0) (i32.load (local.get $state)))
    (i32.store (i32.const 4) (global.get $next))
    (i32.const 0))
