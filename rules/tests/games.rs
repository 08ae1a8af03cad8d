//! The battle's state machine, by games written down in `games/`: each is a rule as a sentence and the moves that show it.

use arena_rules::{
    Answer, Battle, Coord, Direction, Effect, Fleet, FleetSpec, Outcome, Placement, Ruleset, Seat, Size,
};

#[test]
fn every_game_in_the_file_goes_as_it_is_written() {
    let games = std::fs::read_to_string("tests/games/switches.txt").unwrap();
    let mut played = 0;
    for game in games.split("\n## ").skip(1) {
        let (sentence, moves) = game.split_once('\n').unwrap();
        check(sentence, moves);
        played += 1;
    }
    assert!(played > 20, "the file holds more games than {played}");
}

/// Plays a game and compares each effect and the end with what is written.
fn check(sentence: &str, moves: &str) {
    let mut rules =
        serde_json::to_value(Ruleset { fleet: vec![2, 1], ..Ruleset::guide() }.with_size(Size::new(4, 4)))
            .unwrap();
    let mut starter = Seat::First;
    let mut battle = None;
    for line in moves.lines().filter(|line| !line.trim().is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["rules", ..] => {
                let patch: serde_json::Map<_, _> = serde_json::from_str(&line["rules".len()..]).unwrap();
                rules.as_object_mut().unwrap().extend(patch);
            }
            ["starter", seat] => starter = seat_of(seat),
            ["=", ..] => {
                let battle = battle.get_or_insert_with(|| begin(&rules, starter));
                assert_eq!(end(battle), line[2..], "{sentence}");
            }
            [seat, action, ..] => {
                let battle = battle.get_or_insert_with(|| begin(&rules, starter));
                let seat = seat_of(seat);
                assert_eq!(battle.to_move(), Some(seat), "{sentence}: whose turn at {line:?}");
                match action {
                    "overrun" => drop(battle.overrun(seat)),
                    "fails" => battle.forfeit(seat),
                    _ => {
                        let effect = battle.answer(seat, answer(action));
                        let written = line.split_once("-> ").unwrap().1;
                        assert_eq!(text(effect), written, "{sentence}: {line:?}");
                        let asked_again = matches!(effect, Effect::Retry { .. });
                        assert_eq!(battle.view(seat).retry, asked_again, "{sentence}: {line:?}");
                    }
                }
            }
            _ => panic!("{sentence}: {line:?} is no line of a game"),
        }
    }
}

fn begin(rules: &serde_json::Value, starter: Seat) -> Battle {
    let rules: Ruleset = serde_json::from_value(rules.clone()).unwrap();
    rules.validate().unwrap();
    let placements = [
        Placement::new(Coord::new(0, 0), Direction::East),
        Placement::new(Coord::new(3, 3), Direction::North),
    ];
    let fleet = Fleet::parse(&FleetSpec::of(&rules), &placements).unwrap();
    Battle::new(&rules, [fleet.clone(), fleet], starter)
}

fn seat_of(word: &str) -> Seat {
    Seat::try_from(word.parse::<u8>().unwrap()).unwrap()
}

fn answer(word: &str) -> Answer {
    match word.split_once(',') {
        Some((row, column)) => Answer::Shot(Coord::new(row.parse().unwrap(), column.parse().unwrap())),
        None => Answer::Skip,
    }
}

/// An effect in the words of the file: the names of the values, without the spot, which is on the line already.
fn text(effect: Effect) -> String {
    let name = |value: serde_json::Value| value.as_str().unwrap().to_owned();
    match effect {
        Effect::Shot { result, .. } => name(serde_json::to_value(result).unwrap()),
        Effect::Skipped => "skipped".into(),
        Effect::Retry { why, .. } => format!("retry {}", name(serde_json::to_value(why).unwrap())),
        Effect::Lost { why, .. } => format!("lost {}", name(serde_json::to_value(why).unwrap())),
        Effect::Wasted { why, result, .. } => {
            let why = name(serde_json::to_value(why).unwrap());
            let again = result.map(|result| format!(" {}", name(serde_json::to_value(result).unwrap())));
            format!("wasted {why}{}", again.unwrap_or_default())
        }
    }
}

fn end(battle: &Battle) -> String {
    match battle.end() {
        None => "goes on".into(),
        Some((outcome, reason)) => {
            let reason = serde_json::to_value(reason).unwrap();
            let reason = reason.as_str().unwrap();
            match outcome {
                Outcome::Win(seat) => format!("win {} {reason}", u8::from(seat)),
                Outcome::Draw => format!("draw {reason}"),
                Outcome::NoContest => format!("no-contest {reason}"),
            }
        }
    }
}
