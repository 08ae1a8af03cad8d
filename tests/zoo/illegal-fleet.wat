;; Deploys ten ships in the same corner.
(data $guide-fleet (i32.const 1024) "\00\00\01")
