;; Answers `play` and never returns from its post-return function.
(func $play-post (param $answer i32)
    (loop $again (br $again)))
