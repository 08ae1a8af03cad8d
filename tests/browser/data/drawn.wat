;; A game that draws itself: a full board, an empty one, and another one for a side.
(data $full (i32.const 2048) "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 90 60'><rect width='90' height='60' fill='#f00'/></svg>")
(data $empty (i32.const 2304) "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 90 60'><rect width='90' height='60' fill='#0f0'/></svg>")
(data $of-side (i32.const 2560) "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 90 60'><rect width='90' height='60' fill='#00f'/></svg>")

(func $picture-svg (param $state i32) (param $some i32) (param $viewer i32) (result i32)
    (call $text (i32.const 0)
        (select (i32.const 2560)
            (select (i32.const 2048) (i32.const 2304) (i32.load (local.get $state)))
            (local.get $some))
        (i32.const 108))
    (i32.const 0))
(export "zoo:matches/moves@0.1.0#picture-svg" (func $picture-svg))
