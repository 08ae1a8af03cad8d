;; A game for the pages: its picture has signs of HTML, and a side sees three characters of it at most.
(data $picture-text (i32.const 224) "<i>x</i>&|\n")

(func $picture (param $state i32) (param $some i32) (param $viewer i32) (result i32)
    (call $text (i32.const 0) (i32.const 224)
        (select (call $most (local.get $state)) (i32.load (local.get $state)) (local.get $some)))
    (i32.const 0))
