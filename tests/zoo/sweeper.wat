;; A well-behaved bot: shoots at the first unknown cell, row by row.
(data $name-text (i32.const 64) "zoo sweeper")
