//go:build !wasip1

package main

// Practice games against random actions. `sh test.sh` prints the score of the bot.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// A side of a game: its ships, and the report of its last action.
type side struct {
	ships [Ships]OwnShip
	last  Report
}

func newSide(positions [Ships]Coord) side {
	var side side
	for ship, cell := range positions {
		side.ships[ship] = OwnShip{Ships - ship, cell}
	}
	return side
}

// attacked takes an attack, and returns the report of it.
func (target *side) attacked(at Coord) Report {
	report := Report{Kind: Attacked, At: at}
	for ship := range target.ships {
		own := &target.ships[ship]
		if own.HitPoints > 0 && own.At == at {
			own.HitPoints--
			report.HasHit, report.Hit = true, Ship(ship)
		} else {
			report.Near[ship] = own.HitPoints > 0 && IsWithinAStep(own.At, at)
		}
	}
	return report
}

// move moves a ship, and returns the report of it.
func (own *side) move(ship Ship, to Coord) Report {
	from := own.ships[ship].At
	own.ships[ship].At = to
	return Report{Kind: Moved, Ship: ship, Down: to.Row - from.Row, Right: to.Column - from.Column}
}

func (own *side) hitPoints() [Ships]int {
	var points [Ships]int
	for ship := range own.ships {
		points[ship] = own.ships[ship].HitPoints
	}
	return points
}

// Wins plays a game of the bot, in this seat, against random actions, and returns true if the bot wins.
func Wins(seed uint64, seat int) (bool, error) {
	game, bot, rng := Game{10_000, math.MaxUint64, seed}, Bot{}, rand.New(rand.NewPCG(seed, 1))
	var sides [2]side
	sides[seat], sides[1-seat] = newSide(bot.Deploy(game)), newSide(RandomPositions(rng))
	for number := range int(game.ActionsMax) {
		own, enemy := &sides[number%2], &sides[1-number%2]
		view := View{uint32(number/2 + 1), own.ships, enemy.hitPoints(), own.last, enemy.last}
		legal := view.LegalActions()
		action := legal[rng.IntN(len(legal))]
		if number%2 == seat {
			if action = bot.Play(game, view); !slices.Contains(legal, action) {
				return false, fmt.Errorf("turn %d: %v is not legal", view.Turn, action)
			}
		}
		if action.Kind == Attack {
			own.last = enemy.attacked(action.To)
		} else {
			own.last = own.move(action.Ship, action.To)
		}
		if enemy.hitPoints() == [Ships]int{} {
			return number%2 == seat, nil
		}
	}
	return false, nil
}

// Practise returns the number of games that the bot wins, with the second seat in every other game.
func Practise(games int) (int, error) {
	won := 0
	for number := range games {
		wins, err := Wins(uint64(number), number%2)
		if err != nil {
			return 0, err
		}
		if wins {
			won++
		}
	}
	return won, nil
}

func main() {
	won, err := Practise(200)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d of 200 games won against random actions\n", won)
}
