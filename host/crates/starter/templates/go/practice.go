//go:build !wasip1

package main

// Practice boards: the number of shots that the bot needs alone. `sh test.sh` prints it.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
)

// Guide returns a game under the `guide` rules: ships may not touch. Its fuel is not limited.
func Guide(seed uint64) Game {
	fleet := []byte{4, 3, 3, 2, 2, 2, 1, 1, 1, 1}
	return Game{Width: 10, Height: 10, Fleet: fleet, TurnsMax: 400, FuelPerTurn: math.MaxUint64, Seed: seed}
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

// ShotsToClear lets a fresh bot clear a random board alone, and returns the number of its shots.
func ShotsToClear(game Game, rng *rand.Rand) (int, error) {
	bot := Bot{}
	own := bot.Deploy(game)
	if !IsLegalFleet(game, own) {
		return 0, fmt.Errorf("the fleet is not legal: %v", own)
	}
	board, attacks := make([]byte, game.Width*game.Height), make([]byte, game.Width*game.Height)
	for i, place := range own {
		for _, at := range place.Cells(game.Fleet[i]) {
			board[game.Index(at)] = Ship
		}
	}
	ships := map[Coord]bool{}
	for i, place := range RandomFleet(game, rng) {
		for _, at := range place.Cells(game.Fleet[i]) {
			ships[at] = true
		}
	}
	var last *Coord
	for turn := 1; turn <= int(game.TurnsMax); turn++ {
		// Copies, as in the arena: changes that the bot makes have no effect.
		view := View{Turn: uint32(turn), Board: bytes.Clone(board), Attacks: bytes.Clone(attacks), MyLast: last}
		shot := bot.Play(game, view)
		if shot == nil || !game.Contains(*shot) || attacks[game.Index(*shot)] != Unknown {
			return 0, fmt.Errorf("turn %d: %v is not a cell to shoot at", turn, shot)
		}
		attacks[game.Index(*shot)] = Miss
		if ships[*shot] {
			attacks[game.Index(*shot)] = Hit
			delete(ships, *shot)
		}
		last = shot
		if len(ships) == 0 {
			return turn, nil
		}
	}
	return 0, fmt.Errorf("the board is not clear after %d turns", game.TurnsMax)
}

// Practise returns the mean number of shots to clear a board under the `guide` rules, and half of its 95 % interval. The same
// arguments give the same boards.
func Practise(boards int, seed uint64) (mean, plusMinus float64, err error) {
	rng := rand.New(rand.NewPCG(seed, 0))
	sum, squares := 0.0, 0.0
	for range boards {
		shots, err := ShotsToClear(Guide(rng.Uint64()), rng)
		if err != nil {
			return 0, 0, err
		}
		sum += float64(shots)
		squares += float64(shots) * float64(shots)
	}
	count := float64(boards)
	mean = sum / count
	return mean, 1.96 * math.Sqrt((squares/count-mean*mean)/(count-1)), nil
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

// Recorded reads the arguments of a recorded call: `view.json` in a folder of `--faults`, or what `arena replay --view` writes.
// The view is nil if the call was Deploy.
func Recorded(path string) (game Game, view *View, err error) {
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
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &call)
	}
	if err != nil {
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

// playRecorded calls a fresh bot as it was called in a recorded turn, and prints its answer. Set a breakpoint in bot.go.
func playRecorded(path string) error {
	game, view, err := Recorded(path)
	if err != nil {
		return err
	}
	bot := Bot{}
	if view == nil {
		fmt.Println(bot.Deploy(game))
	} else if shot := bot.Play(game, *view); shot == nil {
		fmt.Println("skip")
	} else {
		fmt.Println(*shot)
	}
	return nil
}

func main() {
	if len(os.Args) == 3 && os.Args[1] == "--view" {
		if err := playRecorded(os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	mean, plusMinus, err := Practise(1000, 1)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.2f ± %.2f shots a board over 1000 boards\n", mean, plusMinus)
}
