(func $observe (param $state i32) (param $viewer i32) (result i32)
    (drop (memory.grow (i32.const 2000)))
    (i32.const 0))
