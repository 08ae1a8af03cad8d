;; Imports an interface that is not part of WASI.
(component
    (import "example:backdoor/shell@1.0.0" (instance (export "run" (func (param "line" string))))))
