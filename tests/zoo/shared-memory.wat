;; Declares a memory that threads may share.
(component
    (core module
        (memory (export "memory") 1 2 shared)))
