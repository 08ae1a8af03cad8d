(data $picture-text (i32.const 224) "\1b[31mred|||")
