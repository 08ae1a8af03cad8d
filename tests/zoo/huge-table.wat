;; Declares a table of ten million elements to begin with.
(table $references 10000000 funcref)
