//go:build !wasip1

package main

// Practice boards: the number of shots that the bot needs alone. `sh test.sh` prints it.

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
)

// Guide returns a game by the rules `guide`, whose ships may not touch. Its fuel is not limited.
func Guide(seed uint64) Game {
	fleet := []byte{4, 3, 3, 2, 2, 2, 1, 1, 1, 1}
	return Game{Width: 10, Height: 10, Fleet: fleet, TurnsMax: 400, FuelPerTurn: math.MaxUint64, Seed: seed}
}

// IsLegalFleet returns true if a fleet has the right ships, on the board, which do not overlap, nor touch if that is
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
		// Copies, as in the arena: what the bot does to them changes nothing.
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

// Practise returns the mean number of shots to clear a board by the rules `guide`. The same arguments give the same boards.
func Practise(boards int, seed uint64) (float64, error) {
	rng := rand.New(rand.NewPCG(seed, 0))
	total := 0
	for range boards {
		shots, err := ShotsToClear(Guide(rng.Uint64()), rng)
		if err != nil {
			return 0, err
		}
		total += shots
	}
	return float64(total) / float64(boards), nil
}

func main() {
	mean, err := Practise(1000, 1)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.2f shots a board over 1000 boards\n", mean)
}
