;; Opens its log in the clean-up after `play`.
(import "wasi:cli/stderr@0.2.12" "get-stderr" (func $stderr (result i32)))
(func $play-post (param $answer i32)
    (drop (call $stderr)))
