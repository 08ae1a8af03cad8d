;; Has a name that is not valid UTF-8.
(data $name-text (i32.const 64) "zoo \ff\fe bad")
