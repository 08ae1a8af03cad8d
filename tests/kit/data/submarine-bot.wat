;; A well-behaved bot for submarine, in parts. A specimen replaces the parts it names and may add others.
;;
;; Memory: 0..64 is the return area, 64..1024 is text, and the heap begins at 4096.
(memory $memory 1)

(global $heap (mut i32) (i32.const 4096))

(data $name-text (i32.const 64) "zoo sitter")

;; `cabi_realloc`: a bump allocator that never frees; `play-post` resets it.
(func $realloc (param $old i32) (param $old-size i32) (param $align i32) (param $size i32) (result i32)
    (local $at i32)
    (local.set $at (i32.and
        (i32.add (global.get $heap) (i32.sub (local.get $align) (i32.const 1)))
        (i32.sub (i32.const 0) (local.get $align))))
    (global.set $heap (i32.add (local.get $at) (local.get $size)))
    (local.get $at))

;; A cell at an address.
(func $cell (param $address i32) (param $row i32) (param $column i32)
    (i32.store8 (local.get $address) (local.get $row))
    (i32.store8 offset=1 (local.get $address) (local.get $column)))

;; The answer of `play` that attacks a cell.
(func $attack (param $row i32) (param $column i32) (result i32)
    (i32.store8 (i32.const 0) (i32.const 0))
    (call $cell (i32.const 1) (local.get $row) (local.get $column))
    (i32.const 0))

;; The answer of `play` that moves a ship, 0 to 2, to a cell.
(func $move (param $ship i32) (param $row i32) (param $column i32) (result i32)
    (i32.store8 (i32.const 0) (i32.const 1))
    (i32.store8 (i32.const 1) (local.get $ship))
    (call $cell (i32.const 2) (local.get $row) (local.get $column))
    (i32.const 0))

;; Attacks the cell of its own strongest ship that is afloat.
(func $sit (param $args i32) (result i32)
    (local $own i32)
    (local.set $own (i32.load offset=28 (local.get $args)))
    (call $attack
        (i32.load8_u offset=2 (local.get $own))
        (i32.load8_u offset=3 (local.get $own))))

;; `name`: a string, as a pair of (pointer, length).
(func $name (result i32)
    (i32.store (i32.const 0) (i32.const 64))
    (i32.store (i32.const 4) (i32.const 10))
    (i32.const 0))

;; `deploy`: the cells of the battleship, the cruiser and the submarine.
(func $deploy (param $actions-max i32) (param $fuel i64) (param $seed i64) (result i32)
    (call $cell (i32.const 0) (i32.const 0) (i32.const 0))
    (call $cell (i32.const 2) (i32.const 0) (i32.const 1))
    (call $cell (i32.const 4) (i32.const 1) (i32.const 0))
    (i32.const 0))

;; `play`: an action. Its argument points to the game (24 bytes) and the view.
;;
;; The view's turn is at 24, its own ships are at 28 (pointer) and 32 (number), the enemy's at 36 and 40. An own ship is
;; four bytes: the ship, its hit points, its row, its column.
(func $play (param $args i32) (result i32)
    (call $sit (local.get $args)))

;; Called after the answer of `play` has been read.
(func $play-post (param $answer i32)
    (global.set $heap (i32.const 4096)))

(export "memory" (memory $memory))
(export "cabi_realloc" (func $realloc))
(export "arena:submarine/bot@0.1.0#name" (func $name))
(export "arena:submarine/bot@0.1.0#deploy" (func $deploy))
(export "arena:submarine/bot@0.1.0#play" (func $play))
(export "cabi_post_arena:submarine/bot@0.1.0#play" (func $play-post))
