//! The contracts between the arena and bots, as their authors read them.

use arena_rules::GameKind;
use include_dir::{Dir, include_dir};

/// The files of `wit/`: a folder for each game, with one for each version.
pub(crate) static CONTRACTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../../wit");

/// Returns the latest contract with games that are components, a WIT document.
pub const fn game_contract() -> &'static str {
    include_str!("../../../../wit/game/v0.1.0/game.wit")
}

/// Returns the latest contract of a game, a WIT document.
pub fn contract(game: GameKind) -> &'static str {
    let versions = CONTRACTS.get_dir(game.name()).into_iter().flat_map(Dir::dirs);
    let latest = versions.max_by_key(|folder| version(folder));
    let files = latest.into_iter().flat_map(Dir::files);
    let mut documents = files.filter(|file| file.path().extension().is_some_and(|ending| ending == "wit"));
    let document = documents.next().and_then(include_dir::File::contents_utf8);
    document.expect("each game has a contract in `wit/`, which a test reads")
}

/// The numbers of the version that a folder is named after, as `v0.1.0`.
fn version(folder: &Dir<'_>) -> Vec<u32> {
    let name = folder.path().file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.trim_start_matches('v').split('.').filter_map(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_has_a_contract_in_its_package() {
        for game in GameKind::ALL {
            assert!(contract(game).contains(&format!("package arena:{game}@")), "{game}");
        }
    }
}
