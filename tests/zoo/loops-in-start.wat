;; Never returns from its start function.
(func $begin
    (loop $again (br $again)))
(start $begin)
