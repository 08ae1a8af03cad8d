//! Tournaments from the files in `schedules/`, which are played and compared. `schedules/README.txt` describes the
//! format.

use arena_league::{
    DecidedBy, Fixture, Format, GameScore, Placings, Round, Schedule, Score, Side, SwissPlacing,
};

#[test]
fn knockouts_go_as_their_files_say() {
    check_file("knockout");
}

#[test]
fn swisses_go_as_their_files_say() {
    check_file("swiss");
}

fn check_file(name: &str) {
    let text = std::fs::read_to_string(format!("tests/schedules/{name}.txt")).unwrap();
    let tournaments: Vec<_> = text.split("\n## ").skip(1).collect();
    assert!(tournaments.len() > 5, "{name}.txt holds more than {}", tournaments.len());
    for tournament in tournaments {
        let (sentence, written) = tournament.split_once('\n').unwrap();
        let written = written.trim_end();
        let seen = play(written);
        assert!(seen == written, "{name}: {sentence}\n\n{seen}\n\nis not what is written:\n\n{written}");
    }
}

/// Plays a tournament with the written results, in order and for any pairings. Returns it in the same format.
fn play(written: &str) -> String {
    let value = |word: &str| written.lines().find_map(|line| line.strip_prefix(word)).unwrap().trim();
    let format: Format = serde_json::from_str(value("format ")).unwrap();
    let (contestants, games) = (value("contestants "), value("games "));
    let mut lines = vec![
        format!("format {}", serde_json::to_string(&format).unwrap()),
        format!("contestants {contestants}"),
        format!("games {games}"),
    ];
    let mut schedule = Schedule::new(format, contestants.parse().unwrap(), games.parse().unwrap()).unwrap();
    let mut outcomes = written
        .lines()
        .filter(|line| line.contains(" v "))
        .map(|line| line.split_once(": ").expect("a match has results").1);
    while let Some(round) = schedule.next_round() {
        lines.push(title(&round));
        if !round.byes.is_empty() {
            lines.push(format!("bye {}", names(round.byes.iter().copied())));
        }
        let fixtures: Vec<_> = round.fixtures.iter().collect();
        for fixtures in fixtures.chunk_by(|one, next| one.contestants() == next.contestants()) {
            let outcome = outcomes.next().unwrap_or("?");
            let [first, second] = fixtures[0].contestants();
            lines.push(format!("{} v {}: {outcome}", first + 1, second + 1));
            let games = games_of(outcome);
            assert_eq!(games.len(), fixtures.len(), "{}: `{outcome}`", lines.join("\n"));
            for (&fixture, game) in fixtures.iter().zip(games) {
                schedule.record(fixture, game.map(|game| game.seated(fixture)));
            }
        }
    }
    lines.extend(end(&schedule));
    lines.join("\n")
}

fn title(round: &Round) -> String {
    match round.tie_break {
        0 => format!("round {}", round.number),
        tie_break => format!("round {}, tie-break {tie_break}", round.number),
    }
}

fn names(contestants: impl Iterator<Item = usize>) -> String {
    contestants.map(|contestant| (contestant + 1).to_string()).collect::<Vec<_>>().join(" ")
}

/// A game as it is written: for the lower-numbered contestant.
struct Written {
    letter: char,
    faults: [u32; 2],
    turns: [u32; 2],
}

fn games_of(outcome: &str) -> Vec<Option<Written>> {
    let mut parts = outcome.split(", ");
    let letters = parts.next().unwrap();
    let (mut faults, mut turns) = ([0, 0], [0, 0]);
    for part in parts {
        let words: Vec<_> = part.split(' ').collect();
        let numbers = [words[0].parse().unwrap(), words[1].parse().unwrap()];
        match words[2] {
            "faults" => faults = numbers,
            "turns" => turns = numbers,
            other => panic!("`{other}` is not known"),
        }
    }
    letters.chars().map(|letter| (letter != '-').then_some(Written { letter, faults, turns })).collect()
}

impl Written {
    fn seated(self, fixture: Fixture) -> GameScore {
        let swapped = fixture.seats[0] > fixture.seats[1];
        let [first, second] = if swapped { [Side::Second, Side::First] } else { [Side::First, Side::Second] };
        let by_seat = |[first, second]: [u32; 2]| if swapped { [second, first] } else { [first, second] };
        let score = match self.letter {
            'W' => Score::Win(first),
            'L' => Score::Win(second),
            'D' => Score::Draw,
            'N' => Score::NoContest,
            other => panic!("`{other}` is not a result"),
        };
        GameScore { score, faults: by_seat(self.faults), turns: by_seat(self.turns) }
    }
}

fn end(schedule: &Schedule) -> Vec<String> {
    match schedule.placings().expect("the format has places") {
        Placings::Swiss(places) => places.iter().map(swiss_line).collect(),
        Placings::Knockout { places, matches } => {
            let decided = matches.iter().filter(|decided| decided.decided_by != DecidedBy::Points);
            let decided = decided.map(|decided| {
                let [first, second] = decided.contestants;
                let loser = if decided.winner == first { second } else { first };
                let by = serde_json::to_value(decided.decided_by).unwrap();
                format!("{} beats {} by {}", decided.winner + 1, loser + 1, by.as_str().unwrap())
            });
            let places = places.chunk_by(|one, next| one.place == next.place).map(|shared| {
                let contestants = names(shared.iter().map(|line| line.contestant));
                format!("place {}: {contestants}", shared[0].place)
            });
            decided.chain(places).collect()
        }
    }
}

fn swiss_line(line: &SwissPlacing) -> String {
    format!(
        "place {}: {} with {} points, {} of opponents, {} won, {} byes",
        line.place,
        line.contestant + 1,
        line.points(),
        line.buchholz(),
        line.wins,
        line.byes
    )
}
