(func $apply-action (param $state i32) (param $take i32) (result i32) (loop $again (br $again)) (unreachable))
