;; Has a memory with pages of one byte.
(memory $memory 65536 (pagesize 1))
