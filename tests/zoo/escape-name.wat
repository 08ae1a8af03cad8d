;; Has a name with terminal escapes, a bidirectional override, a bell, a line break and a NUL.
(data $name-text (i32.const 64) "zoo \1b[31mred\1b[0m \e2\80\ae\07\0a\00x")
(func $name (result i32)
    (call $pair (i32.const 64) (i32.const 24)))
