;; Allocates an object that is to be collected.
(type $object (struct (field i32)))
(func $play (param $args i32) (result i32)
    (drop (struct.new_default $object))
    (call $sweep (local.get $args)))
