(func $observe (param $state i32) (param $viewer i32) (result i32) (unreachable))
