;; Imports WASI's web client.
(component
    (import "wasi:http/types@0.2.3" (instance)))
