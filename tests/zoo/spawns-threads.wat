;; Spawns a thread through the component model.
(component
    (core type $body (shared (func (param i32))))
    (core func $spawn (canon thread.spawn-ref $body)))
