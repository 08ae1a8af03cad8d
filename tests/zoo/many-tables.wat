;; Declares five tables.
(table $one 1 funcref)
(table $two 1 funcref)
(table $three 1 funcref)
(table $four 1 funcref)
(table $five 1 funcref)
