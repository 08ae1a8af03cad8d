;; Deploys ten ships from the farthest corner that a placement can express, all of them southwards.
(data (i32.const 2048)
    "\ff\ff\02" "\ff\ff\02" "\ff\ff\02" "\ff\ff\02" "\ff\ff\02"
    "\ff\ff\02" "\ff\ff\02" "\ff\ff\02" "\ff\ff\02" "\ff\ff\02")
(func $deploy (param i32 i32 i32 i32 i32 i32 i32 i64 i64) (result i32)
    (call $pair (i32.const 2048) (i32.const 10)))
