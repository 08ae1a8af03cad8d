;; Throws an exception.
(tag $oops)
(func $play (param $args i32) (result i32)
    (throw $oops))
