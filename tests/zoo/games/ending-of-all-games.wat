(data $ending-name (i32.const 144) "bad-deploy")
