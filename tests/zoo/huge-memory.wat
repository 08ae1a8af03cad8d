;; Declares a memory with an initial size of 512 MiB.
(memory $memory 8192)
