;; Deploys all of its ships from one cell.
(data (i32.const 2048)
    "\04\04\01" "\04\04\01" "\04\04\01" "\04\04\01" "\04\04\01"
    "\04\04\01" "\04\04\01" "\04\04\01" "\04\04\01" "\04\04\01")
(func $deploy (param i32 i32 i32 i32 i32 i32 i32 i64 i64) (result i32)
    (call $pair (i32.const 2048) (i32.const 10)))
