//! Journals with a right chain and any changes: each is refused in one line, or is sound.

use crate::hostile::{alter, check_message, check_sound, content};
use crate::support::{folder, game, open, tournament, with_games};
use arena_record::{Beacon, Commitment, Conditions, RecordedSeed, Seed};
use arena_store::{Draw, Reader, Stage, TRANSCRIPT_BYTES_MAX, Tournament, Writer};
use proptest::prelude::*;
use rusqlite::params;
use std::path::Path;

/// The tables with their columns.
const COLUMNS: [(&str, &[&str]); 9] = [
    ("conditions", &["arena", "rules", "fuel_per_turn", "memory_bytes", "seed"]),
    ("bot", &["number", "label", "name", "sha256"]),
    ("stage", &["number", "settings"]),
    ("entrant", &["number", "stage", "place", "bot", "label"]),
    ("draw", &["stage", "seed", "beacon"]),
    ("clock", &["number", "links", "at", "sha256"]),
    (
        "game",
        &[
            "number",
            "stage",
            "first",
            "second",
            "pair",
            "game",
            "contract",
            "starter",
            "outcome",
            "reason",
            "first_score",
            "second_score",
            "first_turns",
            "second_turns",
            "first_fuel",
            "second_fuel",
            "faults",
            "reproducible",
            "events",
        ],
    ),
    ("told_seed", &["seed"]),
    ("trail", &["number", "links", "at", "event", "key", "name", "owner", "why", "games", "sha256"]),
];

/// The seeds of the stages of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Draws {
    /// All stages have the seed of the conditions.
    None,
    /// The seeds are revealed: the second one follows from a beacon.
    Open,
    /// They are hashes, and follow from a secret.
    Secret,
    /// The secret has been revealed.
    Told,
}

/// A journal of two stages with seeds of their own and two games each.
fn with_draws(path: &Path, draws: Draws) -> Tournament {
    let secret = (draws != Draws::Open).then(|| Seed::from(7));
    let mut tournament = tournament(3);
    let mut stages = ["{}", "[]"].map(|settings| Stage::of_all(settings, &tournament.bots));
    for (number, stage) in (1..).zip(&mut stages) {
        let beacon = (number == 2).then(|| Beacon::new("3 17 22"));
        stage.draw = Some(Draw { seed: 5.into(), beacon });
        // A seed without a secret or a beacon can be any.
        if secret.is_some() || number == 2 {
            let seed = stage.drawn(number, secret.as_ref(), &tournament.bots);
            let hashed = || RecordedSeed::Secret(Commitment::to(&seed));
            let seed = if secret.is_some() { hashed() } else { seed.into() };
            stage.draw.iter_mut().for_each(|draw| draw.seed = seed);
        }
    }
    let of_season = |secret: Seed| RecordedSeed::Secret(Commitment::to(&secret));
    tournament.conditions.seed = secret.map_or(5.into(), of_season);
    let mut writer = Writer::open(path, &tournament, &stages[0]).unwrap();
    for (number, stage) in (0..).zip(&stages) {
        writer.enter(&tournament.bots, stage).unwrap();
        let of_stage = stage.draw.as_ref().unwrap().seed;
        let conditions = Conditions { seed: of_stage, ..tournament.conditions.clone() };
        let played = Tournament { conditions, ..tournament.clone() };
        for game_number in [1, 2] {
            game(&played, [0, 1], 2 * number + game_number).add_to(&mut writer).unwrap();
        }
    }
    if draws == Draws::Told {
        writer.tell_seed(Seed::from(7)).unwrap();
    }
    tournament
}

#[test]
fn a_journal_with_seeds_of_its_stages_is_sound() {
    for draws in [Draws::Open, Draws::Secret, Draws::Told] {
        let (_folder, path) = folder();
        with_draws(&path, draws);
        let content = content(&path).unwrap();
        check_sound(&content);
        assert_eq!((content.stages.len(), content.games.len()), (2, 4));
        assert_eq!(content.revealed_seed.is_some(), draws == Draws::Told);
        let reader = Reader::open(&path).unwrap();
        let seeds = [1, 3].map(|number| reader.recording(number).unwrap().unwrap().header.conditions.seed);
        assert_eq!(
            seeds.to_vec(),
            content.stages.iter().map(|stage| stage.draw.as_ref().unwrap().seed).collect::<Vec<_>>()
        );
    }
}

/// A change that a hostile author makes: a statement with one parameter, a number or a text.
fn change() -> impl Strategy<Value = (String, Result<i64, String>)> {
    let number = prop_oneof![
        4 => -2i64..6,
        1 => prop_oneof![Just(i64::MIN), Just(i64::MAX), Just(1 << 31), Just((1 << 32) - 1), Just(1 << 32)],
    ];
    let fault = (prop_oneof![Just("1"), Just("2"), Just("3")], prop_oneof![0u64..9, Just((1 << 32) - 1)])
        .prop_map(|(seat, number)| {
            format!(
                r#"[{{"seat":{seat},"class":"trap","count":{number},"first-turn":{number},"detail":"d"}}]"#
            )
        });
    let text = prop_oneof![
        2 => fault,
        1 => prop_oneof![
            Just(String::new()),
            Just("draw".into()),
            Just("fleet-sunk".into()),
            Just("7".into()),
            Just("3 17 22".into()),
            Just(format!("sha256:{}", "0".repeat(64))),
            Just("18446744073709551615".into()),
            Just("bot-1".into()),
            Just("a".repeat(48)),
            Just("a".repeat(49)),
            Just("\u{202e}x\u{0}\n".into()),
            Just("[".repeat(5_000)),
            Just("{}".into()),
            Just("[]".into()),
            Just("f".repeat(64)),
        ],
    ];
    let value = prop_oneof![number.prop_map(Ok), text.prop_map(Err)];
    let set = (prop::sample::select(COLUMNS.to_vec()), any::<prop::sample::Index>(), 0..5).prop_map(
        |((table, columns), column, row)| {
            let column = columns[column.index(columns.len())];
            let row = format!("(SELECT rowid FROM {table} LIMIT 1 OFFSET {row})");
            format!("UPDATE OR IGNORE {table} SET {column} = ?1 WHERE rowid = {row}")
        },
    );
    let add = prop::sample::select(vec![
        "INSERT INTO entrant (stage, place, bot, label) SELECT 2, n.number, n.number, ?1 || n.number FROM bot n",
        "INSERT OR IGNORE INTO stage VALUES (2, ?1)",
        "INSERT OR IGNORE INTO told_seed VALUES (1, ?1)",
        "INSERT OR IGNORE INTO draw (stage, seed, beacon) VALUES (1, ?1, NULL)",
        "INSERT OR IGNORE INTO draw (stage, seed, beacon) VALUES (2, '7', ?1)",
        "DELETE FROM draw WHERE stage = ?1",
        "INSERT INTO bot (label, name, sha256) VALUES (?1, ?1, ?1)",
        "INSERT OR IGNORE INTO entrant (stage, place, bot, label) VALUES (1, 3, 1, ?1)",
        "DELETE FROM entrant WHERE number > 1 AND label != ?1",
        "DELETE FROM game WHERE number > ?1",
    ])
    .prop_map(str::to_owned);
    (prop_oneof![3 => set, 1 => add], value)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_journal_with_a_right_chain_is_sound_or_refused_in_one_line(
        changes in prop::collection::vec(change(), 1..4),
        draws in prop::sample::select(vec![Draws::None, Draws::Open, Draws::Secret, Draws::Told]),
    ) {
        let (_folder, path) = folder();
        let tournament =
            if draws == Draws::None { with_games(&path, 4) } else { with_draws(&path, draws) };
        alter(&path, |connection| {
            for (sql, value) in &changes {
                // Values that the columns' types do not allow stay unchanged.
                let _ = match value {
                    Ok(number) => connection.execute(sql, params![number]),
                    Err(text) => connection.execute(sql, params![text]),
                };
            }
        });
        let reader = Reader::open(&path).unwrap();
        let read = reader.content();
        match &read {
            Ok(content) => check_sound(content),
            Err(error) => check_message(error),
        }
        for number in 0..6 {
            match reader.transcript(number) {
                Ok(Some(transcript)) => prop_assert!(transcript.len() as u64 <= TRANSCRIPT_BYTES_MAX),
                Ok(None) => {}
                Err(error) => check_message(&error),
            }
        }
        drop(reader);
        // A sound journal of this tournament is continued; any other is left alone.
        if let Ok(mut writer) = open(&path, &tournament) {
            let games = writer.games();
            let _ = game(&tournament, [2, 1], 901).add_to(&mut writer);
            prop_assert!(writer.games() <= games + 1);
            drop(writer);
            check_sound(&content(&path).unwrap());
        }
    }
}
