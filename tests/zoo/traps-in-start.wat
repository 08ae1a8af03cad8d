;; Traps in its start function.
(func $begin
    (unreachable))
(start $begin)
