;; Declares a memory of 512 MiB to begin with.
(memory $memory 8192)
