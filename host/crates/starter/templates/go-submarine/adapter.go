//go:build wasip1

package main

// The component's exports: they pass the calls of the arena to bot.go. This file needs no edit. It is the canonical ABI of the
// contract in wit/, written by hand.

import "unsafe"

var author Bot

var nameResult slice
var nameBytes = []byte(Name)

//go:wasmexport arena:submarine/bot@0.1.0#name
func exportName() uint32 {
	nameResult = slice{address(unsafe.Pointer(unsafe.SliceData(nameBytes))), uint32(len(nameBytes))}
	return address(unsafe.Pointer(&nameResult))
}

// The row and the column of each ship.
var positionsResult [Ships][2]byte

//go:wasmexport arena:submarine/bot@0.1.0#deploy
func exportDeploy(actionsMax uint32, fuel, seed uint64) uint32 {
	used = kept
	for ship, cell := range author.Deploy(Game{actionsMax, fuel, seed}) {
		positionsResult[ship] = [2]byte{number(cell.Row), number(cell.Column)}
	}
	return address(unsafe.Pointer(&positionsResult))
}

// A report in memory: that of an attack, or of a move in its first three bytes.
type report struct {
	isSome bool
	tag    uint32 // a byte, and three unused ones
	row    byte   // or the ship that moved
	column byte   // or the rows that it went down
	hasHit byte   // or the columns that it went right
	hit    byte
	near   slice
}

// The arguments of `play` in memory, in the layout of the canonical ABI.
type arguments struct {
	actionsMax        uint32
	fuel, seed        uint64
	turn              uint32
	own, enemy        slice
	myLast, enemyLast report
}

// The action that is returned: its kind, then the cell, or the ship and the cell.
var actionResult [4]byte

//go:wasmexport arena:submarine/bot@0.1.0#play
func exportPlay(pointer uint32) uint32 {
	given := (*arguments)(at(pointer))
	view := View{Turn: given.turn, MyLast: reportOf(given.myLast), EnemyLast: reportOf(given.enemyLast)}
	own := list(given.own.address, 4*given.own.length)
	for i := 0; i < len(own); i += 4 {
		view.Own[own[i]] = OwnShip{int(own[i+1]), Coord{int(own[i+2]), int(own[i+3])}}
	}
	enemy := list(given.enemy.address, 2*given.enemy.length)
	for i := 0; i < len(enemy); i += 2 {
		view.EnemyHitPoints[enemy[i]] = int(enemy[i+1])
	}
	game := Game{given.actionsMax, given.fuel, given.seed}
	used = kept
	action := author.Play(game, view)
	row, column := number(action.To.Row), number(action.To.Column)
	if action.Kind == Attack {
		actionResult = [4]byte{0, row, column}
	} else {
		actionResult = [4]byte{1, byte(action.Ship), row, column}
	}
	collect()
	return address(unsafe.Pointer(&actionResult))
}

func reportOf(given report) Report {
	switch {
	case !given.isSome:
		return Report{}
	case given.tag&0xff == 0:
		report := Report{Kind: Attacked, At: Coord{int(given.row), int(given.column)}}
		report.HasHit = given.hasHit != 0
		if report.HasHit {
			report.Hit = Ship(given.hit)
		}
		for _, ship := range list(given.near.address, given.near.length) {
			report.Near[ship] = true
		}
		return report
	default:
		return Report{Kind: Moved, Ship: Ship(given.row), Down: int(int8(given.column)), Right: int(int8(given.hasHit))}
	}
}
