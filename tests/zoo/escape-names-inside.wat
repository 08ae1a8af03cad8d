;; Has terminal escapes in the names of functions, exports and a custom section, and traps in such a function.
(@custom "\1b[31mred" "\1b]0;title\07")
(func $play (@name "\1b[31mplay\e2\80\ae") (param $args i32) (result i32)
    (unreachable))
(export "\1b[31mred" (func $sweep))
