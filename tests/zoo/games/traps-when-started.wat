(func $begin (unreachable))
(start $begin)
