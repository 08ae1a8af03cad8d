;; Allocates a garbage-collected object.
(type $object (struct (field i32)))
(func $play (param $args i32) (result i32)
    (drop (struct.new_default $object))
    (call $sweep (local.get $args)))
