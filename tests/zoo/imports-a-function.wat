;; Imports a function that belongs to no interface.
(component
    (import "host" (func)))
