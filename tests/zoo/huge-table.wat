;; Declares a table with an initial size of ten million elements.
(table $references 10000000 funcref)
