;; Deploys ten ships from the top row, all of them northwards.
(data (i32.const 2048)
    "\00\00\00" "\00\01\00" "\00\02\00" "\00\03\00" "\00\04\00"
    "\00\05\00" "\00\06\00" "\00\07\00" "\00\08\00" "\00\09\00")
(func $deploy (param i32 i32 i32 i32 i32 i32 i32 i64 i64) (result i32)
    (call $pair (i32.const 2048) (i32.const 10)))
