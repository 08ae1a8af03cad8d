module first-bot

go 1.24
