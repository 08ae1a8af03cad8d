;; Declares a memory that threads can share.
(component
    (core module
        (memory (export "memory") 1 2 shared)))
