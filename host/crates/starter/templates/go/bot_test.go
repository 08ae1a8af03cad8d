package main

// Tests of the bot on practice boards, natively: `arena build --test`, or `go test`.

import (
	"bytes"
	"testing"
)

func TestItPlacesALegalFleet(t *testing.T) {
	for seed := range uint64(50) {
		game, bot := GameBy("guide", seed), Bot{}
		if fleet := bot.Deploy(game); !IsLegalFleet(game, fleet) {
			t.Errorf("seed %d: %v", seed, fleet)
		}
	}
}

func TestItShootsBesideAHit(t *testing.T) {
	game, bot := GameBy("guide", 7), Bot{}
	attacks := bytes.Repeat([]byte{Unknown}, 100)
	attacks[0], attacks[1] = Hit, Miss
	view := View{Turn: 1, Board: make([]byte, 100), Attacks: attacks}
	if shot := bot.Play(game, view); shot == nil || *shot != (Coord{1, 0}) {
		t.Errorf("it shoots at %v", shot)
	}
}

// A bot that shoots anywhere needs about 96 shots.
func TestItIsBetterThanShootingAnywhere(t *testing.T) {
	shots, err := Practise(Options{"guide", 500, 1})
	sum := 0
	for _, number := range shots {
		sum += number
	}
	if err != nil || sum >= 90*500 {
		t.Error(Result(shots), err)
	}
}
