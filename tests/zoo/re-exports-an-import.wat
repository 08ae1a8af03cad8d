;; Exports an imported WASI function as its own.
(outer
    (import "wasi:clocks/monotonic-clock@0.2.0" (instance $clock (export "now" (func (result u64)))))
    (alias export $clock "now" (func $now))
    (export "now" (func $now))
    (core instance $own))
