;; Deploys a fleet whose first ship has an invalid direction.
(data $guide-fleet (i32.const 1024) "\00\00\09")
