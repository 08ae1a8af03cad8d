//! The games in `tests/corpus`: all specimens of the zoo, and all operators at the edges. Every platform has to play the same games.

use crate::support::Place;
use arena_testkit::corpus::{GAME, Season, seasons};
use std::fs;
use std::path::{Path, PathBuf};

/// The journal of a season.
fn journal(season: &Season) -> PathBuf {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus");
    corpus.join(season.name).with_extension("db")
}

/// A folder with the bots of a season.
fn place(season: &Season) -> Place {
    let place = Place::empty();
    season.files.iter().for_each(|(name, bytes)| place.write(&format!("{name}.wasm"), bytes));
    place
}

#[test]
fn the_games_of_the_corpus_are_the_same_when_their_bots_play_again() {
    let mut games = 0;
    for season in seasons() {
        let place = place(&season);
        fs::copy(journal(&season), place.path("corpus.db")).expect("it can be copied");
        let run = place.arena("verify --journal corpus.db --replay-all .");
        assert!(
            run.code == 0 && run.stdout.starts_with("the same head: "),
            "{}: {}{}\nif games are meant to differ: \
             cargo test --release --workspace --test program -- --ignored corpus::write",
            season.name,
            run.stdout,
            run.stderr
        );
        games += place.games_in("corpus.db");
    }
    assert!(games >= 200, "{games} games");
}

#[test]
#[ignore = "it writes files of the project: the journals in tests/corpus"]
fn write() {
    for season in seasons() {
        let place = place(&season);
        let names = season.files.iter().map(|(name, _)| format!("{name}.wasm"));
        let (game, bots): (Vec<String>, Vec<String>) = names.partition(|name| name.starts_with(GAME));
        let game = game.first().map_or(String::new(), |game| format!("--game {game}"));
        let args = season.args;
        let run = format!("run {} {game} {args} --seed 1 --journal corpus.db --no-keep-bots", bots.join(" "));
        // Some specimens are refused.
        let run = place.arena(&run);
        assert!([0, 3].contains(&run.code), "{}", run.stderr);
        let journal = journal(&season);
        fs::create_dir_all(journal.parent().expect("it is in a folder")).expect("it can be made");
        fs::copy(place.path("corpus.db"), journal).expect("it can be written");
    }
}
