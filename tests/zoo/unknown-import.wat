;; Imports something that is not WASI.
(component
    (import "example:backdoor/shell@1.0.0" (instance (export "run" (func (param "line" string))))))
