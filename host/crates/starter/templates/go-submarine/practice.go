//go:build !wasip1

package main

// Practice games against random actions. `arena build --practice` prints the score of the bot.

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
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

// Unit is what a practice program counts, and the name of its option.
const Unit = "games"

// RuleSets has the names of the built-in rules.
var RuleSets = []string{"default"}

// turnsMax is the number of turns in which a game must be won to count as won. Chosen: several times what the template needs.
const turnsMax = 200

// fuelPerTurn is the budget of a turn. Here fuel is not counted, and the clock is the machine's.
const fuelPerTurn = 300_000_000

// TurnsToWin plays a game of the bot, in this seat, against random actions. It returns the number of the bot's turns until it has
// won, or turnsMax if it has not.
func TurnsToWin(seed uint64, seat int) (int, error) {
	game, bot, rng := Game{2 * turnsMax, fuelPerTurn, seed}, Bot{}, rand.New(rand.NewPCG(seed, 1))
	var sides [2]side
	sides[seat], sides[1-seat] = newSide(bot.Deploy(game)), newSide(RandomPositions(rng))
	for number := range int(game.ActionsMax) {
		own, enemy := &sides[number%2], &sides[1-number%2]
		view := View{uint32(number/2 + 1), own.ships, enemy.hitPoints(), own.last, enemy.last}
		legal := view.LegalActions()
		action := legal[rng.IntN(len(legal))]
		if number%2 == seat {
			if action = bot.Play(game, view); !slices.Contains(legal, action) {
				return 0, fmt.Errorf("turn %d: %v is not legal", view.Turn, action)
			}
		}
		if action.Kind == Attack {
			own.last = enemy.attacked(action.To)
		} else {
			own.last = own.move(action.Ship, action.To)
		}
		if enemy.hitPoints() == [Ships]int{} {
			if number%2 == seat {
				return int(view.Turn), nil
			}
			break
		}
	}
	return turnsMax, nil
}

// Practise returns the number of the bot's turns to win each game, with the second seat in every other game.
func Practise(options Options) ([]int, error) {
	rng := rand.New(rand.NewPCG(options.Seed, 0))
	turns := make([]int, options.Count)
	progress := Progress(options.Count)
	for number := range turns {
		var err error
		if turns[number], err = TurnsToWin(rng.Uint64(), number%2); err != nil {
			return nil, fmt.Errorf("game %d, %w", number, err)
		}
		progress()
	}
	return turns, nil
}

// Won returns the number of games that were won.
func Won(turns []int) int {
	won := 0
	for _, number := range turns {
		if number < turnsMax {
			won++
		}
	}
	return won
}

// Result returns the line of a result.
func Result(turns []int) string {
	const line = "%d of %d games won against random actions, %s turns a game"
	return fmt.Sprintf(line, Won(turns), len(turns), withError(turns))
}

// shipNames has the names of the contract.
var shipNames = []string{"battleship", "cruiser", "submarine"}

// shipOf returns the ship of a name.
func shipOf(name string) Ship {
	return Ship(slices.Index(shipNames, name))
}

// A report in JSON: one of the two is set.
type recordedReport struct {
	Attacked *struct {
		At   [2]int
		Hit  *string
		Near []string
	}
	Moved *struct {
		Ship        string
		Down, Right int
	}
}

func (given *recordedReport) report() Report {
	switch {
	case given == nil:
		return Report{}
	case given.Moved != nil:
		return Report{Kind: Moved, Ship: shipOf(given.Moved.Ship), Down: given.Moved.Down, Right: given.Moved.Right}
	case given.Attacked == nil:
		return Report{}
	}
	report := Report{Kind: Attacked, At: Coord{given.Attacked.At[0], given.Attacked.At[1]}}
	if given.Attacked.Hit != nil {
		report.HasHit, report.Hit = true, shipOf(*given.Attacked.Hit)
	}
	for _, name := range given.Attacked.Near {
		report.Near[shipOf(name)] = true
	}
	return report
}

// Recorded returns the arguments of a recorded call. The view is nil if the call was Deploy.
func Recorded(line []byte) (game Game, view *View, err error) {
	type ship struct {
		Ship      string
		HitPoints int `json:"hit-points"`
		At        [2]int
	}
	var call struct {
		Game struct {
			ActionsMax  uint32 `json:"actions-max"`
			FuelPerTurn uint64 `json:"fuel-per-turn"`
			Seed        uint64
		}
		View *struct {
			Turn       uint32
			Own, Enemy []ship
			MyLast     *recordedReport `json:"my-last"`
			EnemyLast  *recordedReport `json:"enemy-last"`
		}
	}
	if err = json.Unmarshal(line, &call); err != nil {
		return game, nil, err
	}
	game = Game(call.Game)
	if shown := call.View; shown != nil {
		view = &View{Turn: shown.Turn, MyLast: shown.MyLast.report(), EnemyLast: shown.EnemyLast.report()}
		for _, own := range shown.Own {
			view.Own[shipOf(own.Ship)] = OwnShip{own.HitPoints, Coord{own.At[0], own.At[1]}}
		}
		for _, enemy := range shown.Enemy {
			view.EnemyHitPoints[shipOf(enemy.Ship)] = enemy.HitPoints
		}
	}
	return game, view, nil
}

// deployed returns positions in the form of recordings.
func deployed(positions [Ships]Coord) string {
	at := make([]string, Ships)
	for ship, cell := range positions {
		at[ship] = fmt.Sprintf("[%d,%d]", cell.Row, cell.Column)
	}
	return "[" + strings.Join(at, ",") + "]"
}

// played returns an action in the form of recordings.
func played(action Action) string {
	at := fmt.Sprintf("[%d,%d]", action.To.Row, action.To.Column)
	if action.Kind == Attack {
		return `{"attack":` + at + "}"
	}
	return fmt.Sprintf(`{"move":[%q,%s]}`, shipNames[action.Ship], at)
}
