package main

// Tests of the bot on practice boards, natively: `sh test.sh`, or `go test`.

import (
	"bytes"
	"testing"
)

func TestItPlacesALegalFleet(t *testing.T) {
	for seed := range uint64(50) {
		game, bot := Guide(seed), Bot{}
		if fleet := bot.Deploy(game); !IsLegalFleet(game, fleet) {
			t.Errorf("seed %d: %v", seed, fleet)
		}
	}
}

func TestItShootsBesideAHit(t *testing.T) {
	game, bot := Guide(7), Bot{}
	attacks := bytes.Repeat([]byte{Unknown}, 100)
	attacks[0], attacks[1] = Hit, Miss
	view := View{Turn: 1, Board: make([]byte, 100), Attacks: attacks}
	if shot := bot.Play(game, view); shot == nil || *shot != (Coord{1, 0}) {
		t.Errorf("it shoots at %v", shot)
	}
}

// A bot that shoots anywhere needs about 96 shots.
func TestItIsBetterThanShootingAnywhere(t *testing.T) {
	mean, _, err := Practise(500, 1)
	if err != nil || mean >= 90 {
		t.Errorf("%.2f shots a board, %v", mean, err)
	}
}
