;; Has a memory of pages of one byte.
(memory $memory 65536 (pagesize 1))
