// A bot that shoots next to its hits, and anywhere else if there are no targets next to them.
package main

// Name is the name to display.
const Name = "first-bot"

// Bot plays one game. Keep state in it, but only as a cache: after an overrun a fresh one goes on.
type Bot struct{}

// Deploy returns the placements of the fleet, one for each length in game.Fleet, in the same order.
func (bot *Bot) Deploy(game Game) []Placement {
	return RandomFleet(game, game.Rng(0))
}

// Play returns the next shot, or nil to skip the turn.
func (bot *Bot) Play(game Game, view View) *Coord {
	var targets, hopeful, besideAHit []Coord
	for _, at := range game.Cells() {
		if view.Attacks[game.Index(at)] != Unknown {
			continue
		}
		targets = append(targets, at)
		if isSurelyWater(game, view, at) {
			continue
		}
		hopeful = append(hopeful, at)
		if hasHit(game, view, game.EdgeNeighbours(at)) {
			besideAHit = append(besideAHit, at)
		}
	}
	rng := game.Rng(view.Turn)
	for _, cells := range [][]Coord{besideAHit, hopeful, targets} {
		if len(cells) > 0 {
			return &cells[rng.IntN(len(cells))]
		}
	}
	return nil
}

func hasHit(game Game, view View, cells []Coord) bool {
	for _, at := range cells {
		if view.Attacks[game.Index(at)] == Hit {
			return true
		}
	}
	return false
}

// If ships may not touch, the cells at the corners of a hit are water.
func isSurelyWater(game Game, view View, at Coord) bool {
	return !game.MayTouch && hasHit(game, view, game.CornerNeighbours(at))
}
