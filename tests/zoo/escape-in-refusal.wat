;; Is invalid, and the names that validation reports contain terminal escapes and a bidirectional mark.
(component
    (core module $code (import "\1b[31mred\e2\80\ae" "\1b]0;title\07\c2\9b31m" (func)))
    (core instance (instantiate $code)))
