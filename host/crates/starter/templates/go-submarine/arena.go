package main

// The contract with the arena as Go types, and tools for the game. This file needs no edit.
//
// The board has 5 rows and 5 columns. Row 0, column 0 is the top left; rows grow downwards, columns to the right.

import "math/rand/v2"

// Side is the number of rows and of columns, Ships the number of ships of a side.
const (
	Side  = 5
	Ships = 3
)

// Coord is a cell of the board, counted from 0.
type Coord struct {
	Row, Column int
}

// Ship is a kind of ship: 3, 2 and 1 hit points at the beginning. Each side has one of each.
type Ship int

// The ships.
const (
	Battleship Ship = iota
	Cruiser
	Submarine
)

// Game has the facts of a game that never change. They come with every call.
type Game struct {
	ActionsMax  uint32 // number of actions of both sides together after which the game is a draw
	FuelPerTurn uint64 // budget of fuel for one turn, and for Deploy; a call that needs more loses the game
	Seed        uint64 // random seed of this side in this game
}

// OwnShip is a ship of the bot; sunk if it has no hit points.
type OwnShip struct {
	HitPoints int
	At        Coord
}

// ReportKind is the kind of a report.
type ReportKind int

// The kinds of reports; Nothing before the first action.
const (
	Nothing ReportKind = iota
	Attacked
	Moved
)

// Report is the report of an action. "The target" is the side that was attacked.
type Report struct {
	Kind        ReportKind
	At          Coord       // Attacked: the cell
	HasHit      bool        // Attacked: true if a ship of the target was on the cell
	Hit         Ship        // Attacked: this ship, which lost a hit point
	Near        [Ships]bool // Attacked: for each ship, true if it is afloat within one step of the cell, but not on it
	Ship        Ship        // Moved: the ship
	Down, Right int         // Moved: how far it went; one of them is 0
}

// View is the state of the game that a bot may know at its turn. Ships are in the order Battleship, Cruiser, Submarine.
type View struct {
	Turn           uint32         // number of the bot's turn, from 1
	Own            [Ships]OwnShip // the bot's ships
	EnemyHitPoints [Ships]int     // hit points of the enemy's ships; 0 if it is sunk
	MyLast         Report         // report of the bot's last action
	EnemyLast      Report         // report of the enemy's last action
}

// ActionKind is the kind of an action.
type ActionKind int

// The kinds of actions.
const (
	Attack ActionKind = iota
	Move
)

// Action is an attack on a cell on or within one step of an own ship, or a move of a ship in its row or column, over any
// distance.
type Action struct {
	Kind ActionKind
	To   Coord // the cell that is attacked or moved to
	Ship Ship  // Move: the ship
}

// Rng returns the random numbers for a turn, from the game's seed. The deployment is turn 0.
func (game Game) Rng(turn uint32) *rand.Rand {
	return rand.New(rand.NewPCG(game.Seed, uint64(turn)))
}

// Cells returns all cells, row by row from the top left.
func Cells() []Coord {
	cells := make([]Coord, 0, Side*Side)
	for row := range Side {
		for column := range Side {
			cells = append(cells, Coord{row, column})
		}
	}
	return cells
}

// IsOnBoard returns true if a cell is on the board.
func (at Coord) IsOnBoard() bool {
	return at.Row >= 0 && at.Row < Side && at.Column >= 0 && at.Column < Side
}

// IsWithinAStep returns true if two cells are the same, or within one step of each other, diagonals included.
func IsWithinAStep(a, b Coord) bool {
	down, right := a.Row-b.Row, a.Column-b.Column
	return -1 <= down && down <= 1 && -1 <= right && right <= 1
}

// LegalActions returns all legal actions: the attacks, then the moves. There is always at least one.
func (view View) LegalActions() []Action {
	var actions []Action
	taken := map[Coord]bool{}
	for _, own := range view.Own {
		if own.HitPoints > 0 {
			taken[own.At] = true
		}
	}
	for _, at := range Cells() {
		for _, own := range view.Own {
			if own.HitPoints > 0 && IsWithinAStep(own.At, at) {
				actions = append(actions, Action{Kind: Attack, To: at})
				break
			}
		}
	}
	for ship, own := range view.Own {
		for _, to := range Cells() {
			inLine := to.Row == own.At.Row || to.Column == own.At.Column
			if own.HitPoints > 0 && inLine && !taken[to] {
				actions = append(actions, Action{Kind: Move, To: to, Ship: Ship(ship)})
			}
		}
	}
	return actions
}

// RandomPositions returns three different random cells.
func RandomPositions(rng *rand.Rand) [Ships]Coord {
	cells := Cells()
	rng.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
	return [Ships]Coord(cells)
}
