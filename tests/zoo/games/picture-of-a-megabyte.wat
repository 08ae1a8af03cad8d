;; It is in the memory, and larger than a result may be.
(memory $memory 20)
(func $picture (param $state i32) (param $some i32) (param $viewer i32) (result i32)
    (call $text (i32.const 0) (i32.const 131072) (i32.const 1000000))
    (i32.const 0))
