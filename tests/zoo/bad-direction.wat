;; Deploys ships that point in a direction there is not.
(data $guide-fleet (i32.const 1024) "\00\00\09")
