;; Imports an interface that starts threads.
(component
    (import "wasi:thread-spawn/spawn@0.2.0" (instance (export "thread-spawn" (func (param "start" u32) (result s32))))))
