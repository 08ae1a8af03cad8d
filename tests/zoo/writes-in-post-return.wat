;; Opens standard error in the post-return function of `play`.
(import "wasi:cli/stderr@0.2.12" "get-stderr" (func $stderr (result i32)))
(func $play-post (param $answer i32)
    (drop (call $stderr)))
