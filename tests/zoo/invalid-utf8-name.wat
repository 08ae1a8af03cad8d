;; Has a name that is no text.
(data $name-text (i32.const 64) "zoo \ff\fe bad")
