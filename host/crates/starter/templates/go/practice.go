//go:build !wasip1

package main

// Practice boards: the number of shots that the bot needs alone. `arena build --practice` prints it.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// Unit is what a practice program counts, and the name of its option.
const Unit = "boards"

// RuleSets has the names of the built-in rules.
var RuleSets = []string{"guide", "classic", "pirates"}

// GameBy returns a game under built-in rules. Here fuel is not counted, and the clock is the machine's.
func GameBy(rules string, seed uint64) Game {
	fleet := []byte{5, 4, 3, 3, 2}
	if rules == "guide" {
		fleet = []byte{4, 3, 3, 2, 2, 2, 1, 1, 1, 1}
	}
	return Game{
		Width:             10,
		Height:            10,
		Fleet:             fleet,
		MayTouch:          rules == "classic",
		SinkingsAnnounced: rules != "guide",
		TurnsMax:          map[string]uint32{"guide": 400, "classic": 2000, "pirates": 200}[rules],
		FuelPerTurn:       map[string]uint64{"guide": 300_000_000, "classic": 300_000_000, "pirates": 50_000_000}[rules],
		Seed:              seed,
	}
}

// IsLegalFleet returns true if a fleet has the right ships, all on the board, and none overlap, or touch if that is
// forbidden.
func IsLegalFleet(game Game, fleet []Placement) bool {
	if len(fleet) != len(game.Fleet) {
		return false
	}
	taken := make([]bool, game.Width*game.Height)
	for i, place := range fleet {
		cells := place.Cells(game.Fleet[i])
		if !isFree(game, taken, cells) {
			return false
		}
		occupy(game, taken, cells)
	}
	return true
}

// moves is the number of times that drawnFleet moves a ship. Measured: more moves do not change the number of shots for a board.
const moves = 500

// drawnFleet draws a fleet as the arena draws it: all legal fleets are about equally likely, which those of RandomFleet are not. Ships of
// such a fleet are moved, again and again, to random places.
func drawnFleet(game Game, rng *rand.Rand) []Placement {
	fleet := RandomFleet(game, rng)
	for range moves {
		ship := rng.IntN(len(fleet))
		place := Placement{Coord{rng.IntN(game.Height), rng.IntN(game.Width)}, East + Direction(rng.IntN(2))}
		first, last := ends(place, game.Fleet[ship])
		isLegal := game.Contains(last)
		for other, length := range game.Fleet {
			otherFirst, otherLast := ends(fleet[other], length)
			isLegal = isLegal && (other == ship || areApart(game, first, last, otherFirst, otherLast))
		}
		if isLegal {
			fleet[ship] = place
		}
	}
	return fleet
}

// ends returns the first and the last cell of a ship that lies eastward or southward.
func ends(place Placement, length byte) (first, last Coord) {
	first, last = place.Anchor, place.Anchor
	if place.Direction == East {
		last.Column += int(length) - 1
	} else {
		last.Row += int(length) - 1
	}
	return first, last
}

// areApart returns true if two ships do not overlap, and do not touch if that is forbidden.
func areApart(game Game, first, last, otherFirst, otherLast Coord) bool {
	gap := 1
	if game.MayTouch {
		gap = 0
	}
	return first.Row > otherLast.Row+gap || otherFirst.Row > last.Row+gap ||
		first.Column > otherLast.Column+gap || otherFirst.Column > last.Column+gap
}

// ShotsToClear lets a fresh bot clear a random board alone, and returns the number of its shots.
func ShotsToClear(rules string, seed uint64) (int, error) {
	game, bot, rng := GameBy(rules, seed), Bot{}, rand.New(rand.NewPCG(seed, 0))
	ships := drawnFleet(game, rng)
	// Under the `pirates` rules, the arena places both fleets.
	own := drawnFleet(game, rng)
	if rules != "pirates" {
		own = bot.Deploy(game)
	}
	if !IsLegalFleet(game, own) {
		return 0, fmt.Errorf("the fleet is not legal: %v", own)
	}
	board, attacks := make([]byte, game.Width*game.Height), make([]byte, game.Width*game.Height)
	shipAt, left := map[Coord]int{}, make([]byte, len(ships))
	for i, length := range game.Fleet {
		for _, at := range own[i].Cells(length) {
			board[game.Index(at)] = Ship
		}
		for _, at := range ships[i].Cells(length) {
			shipAt[at] = i
		}
		left[i] = length
	}
	var last *Coord
	for turn := 1; turn <= int(game.TurnsMax); turn++ {
		var afloat []byte
		for i, cells := range left {
			if cells > 0 {
				afloat = append(afloat, game.Fleet[i])
			}
		}
		if len(afloat) == 0 {
			return turn - 1, nil
		}
		if !game.SinkingsAnnounced {
			afloat = nil
		}
		// Copies, as in the arena: changes that the bot makes have no effect.
		view := View{uint32(turn), bytes.Clone(board), bytes.Clone(attacks), nil, last, false, afloat}
		shot := bot.Play(game, view)
		if shot == nil {
			return 0, fmt.Errorf("turn %d was skipped", turn)
		}
		if !game.Contains(*shot) || attacks[game.Index(*shot)] != Unknown {
			return 0, fmt.Errorf("turn %d: %v is off the board or repeated", turn, *shot)
		}
		attacks[game.Index(*shot)] = Miss
		if ship, isHit := shipAt[*shot]; isHit {
			attacks[game.Index(*shot)] = Hit
			left[ship]--
		}
		last = shot
	}
	return 0, fmt.Errorf("the board is not clear after %d turns", game.TurnsMax)
}

// Practise returns the number of shots to clear each board.
func Practise(options Options) ([]int, error) {
	rng := rand.New(rand.NewPCG(options.Seed, 0))
	shots := make([]int, options.Count)
	progress := Progress(options.Count)
	for board := range shots {
		var err error
		if shots[board], err = ShotsToClear(options.Rules, rng.Uint64()); err != nil {
			return nil, fmt.Errorf("board %d: %w", board, err)
		}
		progress()
	}
	return shots, nil
}

// Result returns the line of a result.
func Result(shots []int) string {
	return fmt.Sprintf("%s shots a board over %d boards", withError(shots), len(shots))
}

// A row and a column, or nothing.
type spotOf []int

func (spot spotOf) coord() *Coord {
	if len(spot) != 2 {
		return nil
	}
	return &Coord{spot[0], spot[1]}
}

// Cells: numbers in JSON.
type cells []int

func (cells cells) bytes() []byte {
	if cells == nil {
		return nil
	}
	made := make([]byte, len(cells))
	for i, cell := range cells {
		made[i] = byte(cell)
	}
	return made
}

// Recorded returns the arguments of a recorded call. The view is nil if the call was Deploy.
func Recorded(line []byte) (game Game, view *View, err error) {
	var call struct {
		Game struct {
			Width, Height     int
			Fleet             cells
			Seed              uint64
			MayTouch          bool   `json:"may-touch"`
			SinkingsAnnounced bool   `json:"sinkings-announced"`
			TurnsMax          uint32 `json:"turns-max"`
			FuelPerTurn       uint64 `json:"fuel-per-turn"`
		}
		View *struct {
			Turn           uint32
			Board, Attacks cells
			LastSpot       spotOf `json:"last-spot"`
			MyLast         spotOf `json:"my-last"`
			Retry          bool
			ShipsRemaining cells `json:"ships-remaining"`
		}
	}
	if err = json.Unmarshal(line, &call); err != nil {
		return game, nil, err
	}
	facts := call.Game
	game = Game{
		Width:             facts.Width,
		Height:            facts.Height,
		Seed:              facts.Seed,
		Fleet:             facts.Fleet.bytes(),
		MayTouch:          facts.MayTouch,
		SinkingsAnnounced: facts.SinkingsAnnounced,
		TurnsMax:          facts.TurnsMax,
		FuelPerTurn:       facts.FuelPerTurn,
	}
	if shown := call.View; shown != nil {
		view = &View{
			Turn:           shown.Turn,
			Board:          shown.Board.bytes(),
			Attacks:        shown.Attacks.bytes(),
			LastSpot:       shown.LastSpot.coord(),
			MyLast:         shown.MyLast.coord(),
			Retry:          shown.Retry,
			ShipsRemaining: shown.ShipsRemaining.bytes(),
		}
	}
	return game, view, nil
}

// deployed returns a fleet in the form of recordings.
func deployed(fleet []Placement) string {
	places := make([]string, len(fleet))
	for i, place := range fleet {
		places[i] = fmt.Sprintf(`[%d,%d,"%c"]`, place.Anchor.Row, place.Anchor.Column, "NESW"[place.Direction])
	}
	return "[" + strings.Join(places, ",") + "]"
}

// played returns a shot in the form of recordings.
func played(shot *Coord) string {
	if shot == nil {
		return `"skip"`
	}
	return fmt.Sprintf(`{"shot":[%d,%d]}`, shot.Row, shot.Column)
}
