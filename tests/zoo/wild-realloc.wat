;; Allocates memory for its arguments outside its memory.
(func $realloc (param i32 i32 i32 i32) (result i32)
    (i32.const 0x7fff0000))
