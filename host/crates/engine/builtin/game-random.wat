;; The built-in opponent in games that are components. It knows nothing of a game: it answers a random number, and the arena takes the
;; action that the game draws with it.
(component
  (import "wasi:random/random@0.2.0" (instance $random (export "get-random-u64" (func (result u64)))))
  (core func $number (canon lower (func $random "get-random-u64")))
  (core module $code
    (import "random" "number" (func $number (result i64)))
    (memory (export "memory") 1)
    (data (i32.const 8) "random")
    (func (export "name") (result i32)
      (i32.store (i32.const 0) (i32.const 8))
      (i32.store (i32.const 4) (i32.const 6))
      (i32.const 0))
    (func (export "play") (result i64) (call $number)))
  (core instance $code (instantiate $code (with "random" (instance (export "number" (func $number))))))
  (func $name (result string) (canon lift (core func $code "name") (memory $code "memory")))
  (func $play (result u64) (canon lift (core func $code "play")))
  (instance $bot (export "name" (func $name)) (export "play" (func $play)))
  (export "arena:game/random@0.1.0" (instance $bot)))
