;; Opens standard error in an endless loop in `play` and never closes it.
(import "wasi:cli/stderr@0.2.12" "get-stderr" (func $stderr (result i32)))
(func $play (param $args i32) (result i32)
    (loop $more
        (drop (call $stderr))
        (br $more))
    (unreachable))
