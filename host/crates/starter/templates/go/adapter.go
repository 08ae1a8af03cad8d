//go:build wasip1

package main

// The component's exports: they pass the calls of the arena to bot.go. This file needs no edit. It is the canonical ABI of the
// contract in wit/, written by hand.

import "unsafe"

var author Bot

var nameResult slice
var nameBytes = []byte(Name)

//go:wasmexport arena:battleship/bot@0.1.0#name
func exportName() uint32 {
	nameResult = slice{address(unsafe.Pointer(unsafe.SliceData(nameBytes))), uint32(len(nameBytes))}
	return address(unsafe.Pointer(&nameResult))
}

var fleetResult slice

// The placements that are returned: row, column and direction of each. A fleet has 64 ships at most.
var fleetBytes [256][3]byte

//go:wasmexport arena:battleship/bot@0.1.0#deploy
func exportDeploy(width, height, fleet, ships, mayTouch, sinkings, turnsMax uint32, fuel, seed uint64) uint32 {
	game := Game{
		Width:             int(width),
		Height:            int(height),
		Fleet:             list(fleet, ships),
		MayTouch:          mayTouch != 0,
		SinkingsAnnounced: sinkings != 0,
		TurnsMax:          turnsMax,
		FuelPerTurn:       fuel,
		Seed:              seed,
	}
	used = kept
	placements := author.Deploy(game)
	count := min(len(placements), len(fleetBytes))
	for i, place := range placements[:count] {
		fleetBytes[i] = [3]byte{number(place.Anchor.Row), number(place.Anchor.Column), byte(place.Direction)}
	}
	fleetResult = slice{address(unsafe.Pointer(&fleetBytes)), uint32(count)}
	return address(unsafe.Pointer(&fleetResult))
}

// The arguments of `play` in memory, in the layout of the canonical ABI.
type arguments struct {
	width, height               byte
	fleet                       slice
	mayTouch, sinkingsAnnounced bool
	turnsMax                    uint32
	fuelPerTurn, seed           uint64
	turn                        uint32
	board, attacks              slice
	lastSpot, myLast            [3]byte
	retry                       bool
	_                           byte
	hasShipsRemaining           bool
	shipsRemaining              slice
}

var shotResult [3]byte

//go:wasmexport arena:battleship/bot@0.1.0#play
func exportPlay(pointer uint32) uint32 {
	given := (*arguments)(at(pointer))
	game := Game{
		Width:             int(given.width),
		Height:            int(given.height),
		Fleet:             list(given.fleet.address, given.fleet.length),
		MayTouch:          given.mayTouch,
		SinkingsAnnounced: given.sinkingsAnnounced,
		TurnsMax:          given.turnsMax,
		FuelPerTurn:       given.fuelPerTurn,
		Seed:              given.seed,
	}
	view := View{
		Turn:     given.turn,
		Board:    list(given.board.address, given.board.length),
		Attacks:  list(given.attacks.address, given.attacks.length),
		LastSpot: spot(given.lastSpot),
		MyLast:   spot(given.myLast),
		Retry:    given.retry,
	}
	if given.hasShipsRemaining {
		view.ShipsRemaining = list(given.shipsRemaining.address, given.shipsRemaining.length)
	}
	used = kept
	shotResult = [3]byte{}
	if shot := author.Play(game, view); shot != nil {
		shotResult = [3]byte{1, number(shot.Row), number(shot.Column)}
	}
	collect()
	return address(unsafe.Pointer(&shotResult))
}

// spot returns an optional cell of the arguments.
func spot(option [3]byte) *Coord {
	if option[0] == 0 {
		return nil
	}
	return &Coord{int(option[1]), int(option[2])}
}
