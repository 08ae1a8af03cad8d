;; Imports a function that does not belong to an interface.
(component
    (import "host" (func)))
