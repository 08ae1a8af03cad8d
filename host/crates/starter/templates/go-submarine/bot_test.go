package main

// Tests of the bot in practice games, natively: `arena build --test`, or `go test`.

import "testing"

func TestItAttacksAgainWhereItHit(t *testing.T) {
	game, bot := Game{Seed: 7}, Bot{}
	bot.Deploy(game)
	view := View{
		Turn:           2,
		Own:            [Ships]OwnShip{{3, Coord{1, 1}}},
		EnemyHitPoints: [Ships]int{0, 1, 0},
		MyLast:         Report{Kind: Attacked, At: Coord{2, 2}, HasHit: true, Hit: Cruiser},
	}
	if action := bot.Play(game, view); action != (Action{Kind: Attack, To: Coord{2, 2}}) {
		t.Errorf("it does %v", action)
	}
}

func TestItWinsMostGamesAgainstRandomActions(t *testing.T) {
	if turns, err := Practise(Options{Count: 200, Seed: 1}); err != nil || Won(turns) <= 160 {
		t.Error(Result(turns), err)
	}
}
