module bot

go 1.24
