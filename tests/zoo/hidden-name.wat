;; Has a name of invisible characters only.
(data $name-text (i32.const 64) "\e2\80\8b\e2\80\8d\e2\80\ae\e2\81\a6\e2\81\a0\ef\bb\bf\c2\ad\e3\85\a4\e1\85\9f\f3\a0\81\81\cc\81\ef\b8\8f\e2\a0\80")
(func $name (result i32)
    (call $pair (i32.const 64) (i32.const 38)))
