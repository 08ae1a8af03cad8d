;; Asks for more and more memory in `play`, and does not look at the answer.
(func $play (param $args i32) (result i32)
    (loop $more
        (drop (memory.grow (i32.const 64)))
        (br $more))
    (unreachable))
