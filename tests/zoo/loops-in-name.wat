;; Never returns from `name`.
(func $name (result i32)
    (loop $again (br $again))
    (unreachable))
