;; Creates and drops resources of its own type in an endless loop in `play`.
(outer
    (type $thing (resource (rep i32)))
    (core func $new (canon resource.new $thing))
    (core func $drop (canon resource.drop $thing))
    (core instance $own (export "new" (func $new)) (export "drop" (func $drop))))
(import "own" "new" (func $new (param i32) (result i32)))
(import "own" "drop" (func $drop (param i32)))
(func $play (param $args i32) (result i32)
    (loop $again
        (call $drop (call $new (i32.const 1)))
        (br $again))
    (unreachable))
