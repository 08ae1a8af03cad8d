;; Asks the component model for a thread of its own.
(component
    (core type $body (shared (func (param i32))))
    (core func $spawn (canon thread.spawn-ref $body)))
