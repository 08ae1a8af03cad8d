;; Answers `play` and then never comes back from the clean-up.
(func $play-post (param $answer i32)
    (loop $again (br $again)))
