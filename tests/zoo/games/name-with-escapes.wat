(data $game-name (i32.const 64) "\1b]0;m\07")
