//! The zoo of games: each has its fault, every time, and does no harm to a well-behaved game in the same sandbox.

use crate::common::{component, game};
use arena_loaded::{Error, Game, GameFault, trial};

/// The number of games of a trial. Chosen: each fault of the zoo is found in the first ten.
const GAMES: u32 = 40;

/// The fault of a game, before or in its trial.
fn fault(name: &str) -> GameFault {
    let path = format!("{}/../../../tests/zoo/games/{name}.wat", env!("CARGO_MANIFEST_DIR"));
    let parts = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    match Game::new(component(&parts)) {
        Ok(game) => {
            let trial = trial::play(&game, GAMES, &[], |_| true).expect("the host does not fail");
            trial.fault.unwrap_or_else(|| panic!("{name} has no fault in its trial")).fault
        }
        Err(Error::Game(fault)) => fault,
        Err(Error::Host(error)) => panic!("{name}: the host failed: {error}"),
    }
}

#[test]
fn every_game_of_the_zoo_has_its_fault_and_does_no_harm() {
    let table = include_str!("../../../../tests/zoo/games/games.txt");
    let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let good = game("");
    let before = trial::play(&good, GAMES, &[], |_| true).expect("the host does not fail");
    let mut count = 0;
    for line in lines {
        let [name, kind, call, what] = line.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
            panic!("a line has four parts: {line}");
        };
        let found = fault(name);
        assert_eq!((found.kind.name(), found.call.as_str()), (kind, call), "{name}: {found}");
        assert!(found.what.contains(what), "{name}: expected `{what}`, found `{found}`");
        assert_eq!(found, fault(name), "{name} is the same again");
        assert_eq!(
            trial::play(&good, GAMES, &[], |_| true).expect("the host does not fail"),
            before,
            "{name}"
        );
        count += 1;
    }
    let folder = format!("{}/../../../tests/zoo/games", env!("CARGO_MANIFEST_DIR"));
    let files = std::fs::read_dir(folder).expect("it is there").flatten();
    let files = files.filter(|file| file.path().extension().is_some_and(|extension| extension == "wat"));
    assert_eq!(files.count(), count, "each file has a line");
}
