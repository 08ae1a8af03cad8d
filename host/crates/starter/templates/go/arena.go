package main

// The contract with the arena as Go types, and tools for the game. This file needs no edit.
//
// Boards have a byte for each cell, row by row from the top left: the cell (row, column) has the index
// row*game.Width + column. Row 0, column 0 is the top left; rows grow downwards, columns to the right.

import "math/rand/v2"

// The cells of boards.
const (
	Unknown byte = 0 // the opponent's: not shot at yet
	Water   byte = 0 // the bot's own: no ship, not shot at yet
	Ship    byte = 1 // the bot's own: a part of a ship that is not hit
	Miss    byte = 2 // either: shot at, water
	Hit     byte = 3 // either: shot at, a part of a ship
)

// Coord is a cell of a board, counted from 0.
type Coord struct {
	Row, Column int
}

// Direction is the direction in which a ship extends from its anchor. North is up, towards row 0.
type Direction byte

// The directions.
const (
	North Direction = iota
	East
	South
	West
)

// Placement is the place of a ship: it begins at the anchor and extends in the direction. Its length is in Game.Fleet.
type Placement struct {
	Anchor    Coord
	Direction Direction
}

// Game has the facts of a game that never change. They come with every call.
type Game struct {
	Width             int    // number of columns, 1 to 32
	Height            int    // number of rows, 1 to 32
	Fleet             []byte // lengths of each side's ships, longest first
	MayTouch          bool   // true if ships may touch, side by side or corner to corner
	SinkingsAnnounced bool   // true if the rules announce which ships are sunk; see View.ShipsRemaining
	TurnsMax          uint32 // number of turns of each side after which the game is a draw
	FuelPerTurn       uint64 // budget of fuel for one turn with all its retries, and for Deploy
	Seed              uint64 // random seed of this side in this game
}

// View is the state of the game that a bot may know at its turn.
type View struct {
	Turn           uint32 // number of the bot's turn, from 1; a retry is the same turn
	Board          []byte // the bot's own board: Water, Ship, Miss or Hit
	Attacks        []byte // the opponent's board, as far as it is known: Unknown, Miss or Hit
	LastSpot       *Coord // cell that the opponent shot at in its last turn; nil if it did not
	MyLast         *Coord // cell that the bot shot at in its last turn; nil if it did not
	Retry          bool   // true if the previous answer in this turn was off the board or already shot at
	ShipsRemaining []byte // lengths of the opponent's ships afloat; nil if sinkings are not announced
}

// Rng returns the random numbers for a turn, from the game's seed. The deployment is turn 0.
func (game Game) Rng(turn uint32) *rand.Rand {
	return rand.New(rand.NewPCG(game.Seed, uint64(turn)))
}

// Index returns the index of a cell of the board.
func (game Game) Index(at Coord) int {
	return at.Row*game.Width + at.Column
}

// Contains returns true if a cell is on the board.
func (game Game) Contains(at Coord) bool {
	return at.Row >= 0 && at.Row < game.Height && at.Column >= 0 && at.Column < game.Width
}

// Cells returns all cells, row by row from the top left.
func (game Game) Cells() []Coord {
	cells := make([]Coord, 0, game.Width*game.Height)
	for row := range game.Height {
		for column := range game.Width {
			cells = append(cells, Coord{row, column})
		}
	}
	return cells
}

// EdgeNeighbours returns the cells on the board that share an edge with a cell.
func (game Game) EdgeNeighbours(at Coord) []Coord {
	return game.near(at, [4]Coord{{-1, 0}, {0, 1}, {1, 0}, {0, -1}})
}

// CornerNeighbours returns the cells on the board that share only a corner with a cell.
func (game Game) CornerNeighbours(at Coord) []Coord {
	return game.near(at, [4]Coord{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}})
}

func (game Game) near(at Coord, steps [4]Coord) []Coord {
	cells := make([]Coord, 0, len(steps))
	for _, step := range steps {
		if cell := (Coord{at.Row + step.Row, at.Column + step.Column}); game.Contains(cell) {
			cells = append(cells, cell)
		}
	}
	return cells
}

// Cells returns the cells of a ship of a length. Some may be off the board.
func (place Placement) Cells(length byte) []Coord {
	step := [4]Coord{{-1, 0}, {0, 1}, {1, 0}, {0, -1}}[place.Direction]
	cells := make([]Coord, length)
	for i := range cells {
		cells[i] = Coord{place.Anchor.Row + i*step.Row, place.Anchor.Column + i*step.Column}
	}
	return cells
}

// RandomFleet returns a legal random fleet; nil if none was found, for example because the board is too small.
func RandomFleet(game Game, rng *rand.Rand) []Placement {
	for range 100 {
		taken := make([]bool, game.Width*game.Height)
		fleet := make([]Placement, 0, len(game.Fleet))
		for _, length := range game.Fleet {
			place, found := randomPlace(game, length, taken, rng)
			if !found {
				break
			}
			occupy(game, taken, place.Cells(length))
			fleet = append(fleet, place)
		}
		if len(fleet) == len(game.Fleet) {
			return fleet
		}
	}
	return nil
}

func randomPlace(game Game, length byte, taken []bool, rng *rand.Rand) (Placement, bool) {
	for range 200 {
		place := Placement{Coord{rng.IntN(game.Height), rng.IntN(game.Width)}, East + Direction(rng.IntN(2))}
		if isFree(game, taken, place.Cells(length)) {
			return place, true
		}
	}
	return Placement{}, false
}

// isFree returns true if the cells of a ship are on the board, and none of them is taken.
func isFree(game Game, taken []bool, cells []Coord) bool {
	for _, at := range cells {
		if !game.Contains(at) || taken[game.Index(at)] {
			return false
		}
	}
	return true
}

// occupy marks the cells of a ship as taken, and those next to it if ships may not touch.
func occupy(game Game, taken []bool, cells []Coord) {
	for _, at := range cells {
		taken[game.Index(at)] = true
		if !game.MayTouch {
			for _, near := range append(game.EdgeNeighbours(at), game.CornerNeighbours(at)...) {
				taken[game.Index(near)] = true
			}
		}
	}
}
