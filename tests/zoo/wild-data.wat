;; Has a data segment outside its memory.
(data $wild (i32.const 0x7fff0000) "out there")
