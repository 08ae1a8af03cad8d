;; Imports WASI's HTTP interface.
(component
    (import "wasi:http/types@0.2.3" (instance)))
