;; A well-behaved game, in parts: ten matches lie there, each player in turn takes one to three, and the player that takes the last one
;; wins. An overrun loses the turn. A specimen replaces the parts that it names and may add others.
;;
;; Memory: 0..64 is the return area, 64..1024 is text, 1024..2048 is the answer of `describe`, a state has 16 bytes from 8192 on: the
;; matches left, the player to move (0, 1, or 2 after the end), the winner, and the matches that the player to move took last. The heap for
;; arguments begins at 4096.
(import "[export]arena:game/rules@0.1.0" "[resource-new]state" (func $new-handle (param i32) (result i32)))

(memory $memory 1)

(global $heap (mut i32) (i32.const 4096))
(global $next (mut i32) (i32.const 8192))

(data $game-name (i32.const 64) "matches")
(data $version (i32.const 80) "1.0.0")
(data $option-name (i32.const 96) "matches")
(data $option-help (i32.const 112) "matches at the beginning")
(data $ending-name (i32.const 144) "last-match")
(data $ending-text (i32.const 160) "took the last match")
(data $reason (i32.const 192) "take one to three")
(data $picture-text (i32.const 224) "||||||||||\n")
(data $too-many (i32.const 256) "take no more than are left")

;; `cabi_realloc`: a bump allocator that never frees; `describe` and the others do not need what was passed after they have returned.
(func $realloc (param $old i32) (param $old-size i32) (param $align i32) (param $size i32) (result i32)
    (local $at i32)
    (local.set $at (i32.and (i32.add (global.get $heap) (i32.const 7)) (i32.const -8)))
    (global.set $heap (i32.add (local.get $at) (local.get $size)))
    (local.get $at))

;; Writes the address and the length of a text.
(func $text (param $to i32) (param $at i32) (param $length i32)
    (i32.store (local.get $to) (local.get $at))
    (i32.store offset=4 (local.get $to) (local.get $length)))

;; `describe`: name, version, parameters, endings, max-game-length, turn-milliseconds, and no range of scores, which is zeros.
(func $describe (result i32)
    (call $text (i32.const 1024) (i32.const 64) (i32.const 7))
    (call $text (i32.const 1032) (i32.const 80) (i32.const 5))
    (call $text (i32.const 1040) (i32.const 1088) (i32.const 1))
    (call $text (i32.const 1048) (i32.const 1152) (i32.const 1))
    (i32.store (i32.const 1056) (i32.const 100))
    (i32.store (i32.const 1060) (i32.const 1000))
    (call $text (i32.const 1088) (i32.const 96) (i32.const 7))
    (call $text (i32.const 1096) (i32.const 112) (i32.const 24))
    (i64.store (i32.const 1104) (i64.const 10))
    (i64.store (i32.const 1112) (i64.const 1))
    (i64.store (i32.const 1120) (i64.const 10))
    (call $text (i32.const 1152) (i32.const 144) (i32.const 10))
    (call $text (i32.const 1160) (i32.const 160) (i32.const 19))
    (i32.const 1024))

;; A fresh state.
(func $state (param $left i32) (param $player i32) (result i32)
    (local $at i32)
    (local.set $at (global.get $next))
    (global.set $next (i32.add (local.get $at) (i32.const 16)))
    (i32.store (local.get $at) (local.get $left))
    (i32.store offset=4 (local.get $at) (local.get $player))
    (local.get $at))

;; `new-initial-state`: ok with a handle. The value of the first option is at 8 in its record.
(func $new-initial-state (param $settings i32) (param $count i32) (param $seed i64) (param $starter i32) (result i32)
    (i32.store8 (i32.const 0) (i32.const 0))
    (i32.store (i32.const 4) (call $new-handle (call $state
        (i32.wrap_i64 (i64.load offset=8 (local.get $settings)))
        (local.get $starter))))
    (i32.const 0))

;; `current-player`: some player, or none.
(func $current-player (param $state i32) (result i32)
    (i32.store8 (i32.const 0) (i32.lt_u (i32.load offset=4 (local.get $state)) (i32.const 2)))
    (i32.store8 (i32.const 1) (i32.load offset=4 (local.get $state)))
    (i32.const 0))

;; `outcome`: some winner, the reason, and no scores.
(func $outcome (param $state i32) (result i32)
    (i32.store8 (i32.const 0) (i32.const 1))
    (i32.store8 (i32.const 1) (i32.load offset=8 (local.get $state)))
    (call $text (i32.const 4) (i32.const 144) (i32.const 10))
    (i32.store8 (i32.const 16) (i32.const 0))
    (i32.const 0))

;; The other player moves.
(func $pass (param $state i32)
    (i32.store offset=4 (local.get $state) (i32.xor (i32.load offset=4 (local.get $state)) (i32.const 1))))

;; `overrun`: the turn is lost.
(func $overrun (param $state i32) (result i32)
    (call $pass (local.get $state))
    (i32.const 0))

;; `picture`: a bar for each match.
(func $picture (param $state i32) (param $some i32) (param $viewer i32) (result i32)
    (call $text (i32.const 0) (i32.const 224) (i32.load (local.get $state)))
    (i32.const 0))

;; `observe`: the matches left, and those that the player took last.
(func $observe (param $state i32) (param $viewer i32) (result i32)
    (i32.store (i32.const 0) (i32.load (local.get $state)))
    (i32.store (i32.const 4) (i32.const 0))
    (i32.const 0))

;; A refusal: 0 is retry, 1 is lost.
(func $refuse (param $case i32) (param $text i32) (param $length i32) (result i32)
    (i32.store8 (i32.const 0) (i32.const 1))
    (i32.store8 (i32.const 4) (local.get $case))
    (call $text (i32.const 8) (local.get $text) (local.get $length))
    (i32.const 0))

;; `apply-action`: the effect is the number of matches left.
(func $apply-action (param $state i32) (param $take i32) (result i32)
    (local $left i32)
    (local.set $left (i32.load (local.get $state)))
    (if (i32.gt_u (i32.sub (local.get $take) (i32.const 1)) (i32.const 2))
        (then (return (call $refuse (i32.const 0) (i32.const 192) (i32.const 17)))))
    (if (i32.gt_u (local.get $take) (local.get $left))
        (then (return (call $refuse (i32.const 1) (i32.const 256) (i32.const 26)))))
    (local.set $left (i32.sub (local.get $left) (local.get $take)))
    (i32.store (local.get $state) (local.get $left))
    (if (local.get $left)
        (then (call $pass (local.get $state)))
        (else
            (i32.store offset=8 (local.get $state) (i32.load offset=4 (local.get $state)))
            (i32.store offset=4 (local.get $state) (i32.const 2))))
    (i32.store8 (i32.const 0) (i32.const 0))
    (i32.store (i32.const 4) (local.get $left))
    (i32.const 0))

;; The largest number of matches that can be taken.
(func $most (param $state i32) (result i32)
    (select (i32.const 3) (i32.load (local.get $state)) (i32.gt_u (i32.load (local.get $state)) (i32.const 3))))

;; `random-action`: an action.
(func $random-action (param $state i32) (param $seed i64) (result i32)
    (i32.add (i32.const 1)
        (i32.wrap_i64 (i64.rem_u (local.get $seed) (i64.extend_i32_u (call $most (local.get $state)))))))

;; `legal-actions`: one to three.
(func $legal-actions (param $state i32) (result i32)
    (i32.store (i32.const 16) (i32.const 1))
    (i32.store (i32.const 20) (i32.const 2))
    (i32.store (i32.const 24) (i32.const 3))
    (i32.store (i32.const 0) (i32.const 16))
    (i32.store (i32.const 4) (call $most (local.get $state)))
    (i32.const 0))

;; `resample-from-infostate`: nothing is hidden.
(func $resample (param $state i32) (param $viewer i32) (param $seed i64) (result i32)
    (call $new-handle (call $state (i32.load (local.get $state)) (i32.load offset=4 (local.get $state)))))

(export "memory" (memory $memory))
(export "cabi_realloc" (func $realloc))
(export "arena:game/rules@0.1.0#describe" (func $describe))
(export "arena:game/rules@0.1.0#[static]state.new-initial-state" (func $new-initial-state))
(export "arena:game/rules@0.1.0#[method]state.current-player" (func $current-player))
(export "arena:game/rules@0.1.0#[method]state.outcome" (func $outcome))
(export "arena:game/rules@0.1.0#[method]state.overrun" (func $overrun))
(export "arena:game/rules@0.1.0#[method]state.picture" (func $picture))
(export "zoo:matches/moves@0.1.0#observe" (func $observe))
(export "zoo:matches/moves@0.1.0#apply-action" (func $apply-action))
(export "zoo:matches/moves@0.1.0#random-action" (func $random-action))
(export "zoo:matches/moves@0.1.0#legal-actions" (func $legal-actions))
(export "zoo:matches/moves@0.1.0#resample-from-infostate" (func $resample))
