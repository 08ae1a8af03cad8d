;; Imports an interface of WASI 0.3.
(component
    (import "wasi:random/random@0.3.0" (instance (export "get-random-u64" (func (result u64))))))
