// A bot for first-game.
package main

import (
	"bot/anything"
	"bot/game"
)

// Name is the name to display.
const Name = "first-bot"

// Play returns the action of this bot, whose turn it is.
//
// Replace the body: look at the observation, and choose. As it stands, the bot answers anything. A game that refuses an illegal action with
// `retry` asks again, until the fuel of the turn is used up.
func Play(observation game.FirstObservation) game.FirstAction {
	return anything.FirstAction()
}
