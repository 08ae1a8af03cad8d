(func $describe (result i32) (loop $again (br $again)) (unreachable))
