package main

// The start of the bot: it tells the adapter what bot.go has. This file needs no edit.

import "bot/adapter"

func init() {
	adapter.Serve(Name, Play)
}

func main() {}
