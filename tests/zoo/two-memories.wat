;; Declares a second memory.
(memory $second 1)
