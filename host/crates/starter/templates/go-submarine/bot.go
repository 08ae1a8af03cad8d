// A bot that attacks where the enemy's ships most likely are, and moves if there is nothing in reach.
package main

// Name is the name to display.
const Name = "first-bot"

// Bot plays one game. Its state is the cells on which each of the enemy's ships may be.
type Bot struct {
	maybe [Ships][Side][Side]bool
}

// Deploy returns the cells on which the ships begin. They must be different.
func (bot *Bot) Deploy(game Game) [Ships]Coord {
	for _, at := range Cells() {
		for ship := range bot.maybe {
			bot.maybe[ship][at.Row][at.Column] = true
		}
	}
	return RandomPositions(game.Rng(0))
}

// Play returns the next action: one of view.LegalActions(). Any other loses the game.
func (bot *Bot) Play(game Game, view View) Action {
	bot.learn(view)
	var best []Action
	most := 0.0
	for _, action := range view.LegalActions() {
		// A move has a small worth, so that it is chosen if no attack can hit.
		worth := 1e-9
		if action.Kind == Attack {
			worth = bot.worth(view, action.To)
		}
		if worth > most {
			most, best = worth, nil
		}
		if worth == most && worth > 0 {
			best = append(best, action)
		}
	}
	if len(best) == 0 {
		return view.LegalActions()[0]
	}
	return best[game.Rng(view.Turn).IntN(len(best))]
}

// worth returns the expected number of ships of the enemy on a cell.
func (bot *Bot) worth(view View, at Coord) float64 {
	sum := 0.0
	for ship, hitPoints := range view.EnemyHitPoints {
		cells := 0
		for _, cell := range Cells() {
			if bot.maybe[ship][cell.Row][cell.Column] {
				cells++
			}
		}
		if hitPoints > 0 && bot.maybe[ship][at.Row][at.Column] {
			sum += 1 / float64(cells)
		}
	}
	return sum
}

// learn processes the reports: first that of the bot's last action, then that of the enemy's.
func (bot *Bot) learn(view View) {
	if report := view.MyLast; report.Kind == Attacked {
		for ship := range bot.maybe {
			bot.keep(Ship(ship), func(at Coord) bool {
				switch {
				case report.HasHit && report.Hit == Ship(ship):
					return at == report.At
				case report.Near[ship]:
					return IsWithinAStep(at, report.At) && at != report.At
				default:
					return !IsWithinAStep(at, report.At)
				}
			})
		}
	}
	if report := view.EnemyLast; report.Kind == Moved {
		before := bot.maybe[report.Ship]
		bot.maybe[report.Ship] = [Side][Side]bool{}
		for _, from := range Cells() {
			to := Coord{from.Row + report.Down, from.Column + report.Right}
			if before[from.Row][from.Column] && to.IsOnBoard() {
				bot.maybe[report.Ship][to.Row][to.Column] = true
			}
		}
	}
}

// keep removes the cells on which a ship cannot be.
func (bot *Bot) keep(ship Ship, canBe func(Coord) bool) {
	for _, at := range Cells() {
		bot.maybe[ship][at.Row][at.Column] = bot.maybe[ship][at.Row][at.Column] && canBe(at)
	}
}
