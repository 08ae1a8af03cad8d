//! Where every random number of a match comes from.

use arena_rules::{GameRules, Seat};
use sha2::{Digest, Sha256};

/// The seed of a match between two bots: a hash of the rules, the tournament's seed and the two components.
///
/// It does not depend on which of the two is named first, on the other contestants, or on the order of the games, so a
/// pairing plays the same games in any tournament with the same seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchSeed([u8; 32]);

/// The seeds of a pair of games. Both games of a pair use them, so that each bot has each seat's luck once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairSeeds {
    /// What each seat is given as its own seed.
    pub sides: [u64; 2],
    /// For the fleets, where the engine places them.
    pub fleets: u64,
}

impl MatchSeed {
    /// The seed of a match by these rules between the components with these SHA-256 hashes.
    pub fn new(rules: &GameRules, tournament_seed: u64, hashes: [&str; 2]) -> Self {
        let rules = serde_json::to_string(rules).expect("rules are plain data");
        let [mut first, mut second] = hashes;
        if first > second {
            std::mem::swap(&mut first, &mut second);
        }
        Self(digest(&[
            b"arena match seed 1",
            rules.as_bytes(),
            &tournament_seed.to_le_bytes(),
            first.as_bytes(),
            second.as_bytes(),
        ]))
    }

    /// The seeds of a pair of games, numbered from 0.
    pub fn pair(&self, pair: u32) -> PairSeeds {
        let number = |purpose: &[u8]| low_u64(&digest(&[&self.0, &pair.to_le_bytes(), purpose]));
        PairSeeds { sides: [number(b"seat 1"), number(b"seat 2")], fleets: number(b"fleets") }
    }

    /// The seat that shoots first where the rules draw it.
    ///
    /// The bots swap seats from game to game, so one seat for the whole match is one bot after the other.
    pub fn drawn_starter(&self) -> Seat {
        if low_u64(&digest(&[&self.0, b"starter"])) & 1 == 0 { Seat::First } else { Seat::Second }
    }
}

/// The seeds of a board that a bot clears alone. Every bot has the same boards, so that their figures compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardSeeds {
    /// What the bot is given as its own seed.
    pub side: u64,
    /// For its own fleet and the one it shoots at.
    pub fleets: u64,
}

impl BoardSeeds {
    /// The seeds of a board, numbered from 1, by these rules.
    pub fn new(rules: &GameRules, seed: u64, board: u32) -> Self {
        let rules = serde_json::to_string(rules).expect("rules are plain data");
        let board =
            digest(&[b"arena board seed 1", rules.as_bytes(), &seed.to_le_bytes(), &board.to_le_bytes()]);
        let number = |purpose: &[u8]| low_u64(&digest(&[&board, purpose]));
        Self { side: number(b"side"), fleets: number(b"fleets") }
    }
}

/// SHA-256 over the parts, each after its length, so that no two lists of parts hash alike.
fn digest(parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().into()
}

fn low_u64(bytes: &[u8; 32]) -> u64 {
    u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes of thirty-two"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_rules::{Ruleset, Size, submarine};

    fn seed(tournament: u64, hashes: [&str; 2]) -> MatchSeed {
        MatchSeed::new(&GameRules::Battleship(Ruleset::guide()), tournament, hashes)
    }

    #[test]
    fn the_order_in_which_bots_are_named_does_not_change_their_match() {
        assert_eq!(seed(1, ["aa", "bb"]), seed(1, ["bb", "aa"]));
    }

    #[test]
    fn another_seed_another_bot_and_other_rules_are_another_match() {
        let base = seed(1, ["aa", "bb"]);
        assert_ne!(base, seed(2, ["aa", "bb"]));
        assert_ne!(base, seed(1, ["aa", "bc"]));
        let wider = GameRules::Battleship(Ruleset::guide().with_size(Size::new(11, 10)));
        let submarine = GameRules::Submarine(submarine::Rules::default());
        for rules in [wider, submarine] {
            assert_ne!(base, MatchSeed::new(&rules, 1, ["aa", "bb"]));
        }
    }

    #[test]
    fn pairs_of_games_differ_and_so_do_the_seats_in_one() {
        let base = seed(1, ["aa", "bb"]);
        assert_ne!(base.pair(0), base.pair(1));
        let [first, second] = base.pair(0).sides;
        assert_ne!(first, second);
    }

    #[test]
    fn boards_differ_by_number_seed_and_rules() {
        let guide = GameRules::Battleship(Ruleset::guide());
        let classic = GameRules::Battleship(Ruleset::classic());
        let base = BoardSeeds::new(&guide, 1, 1);
        for other in [(&guide, 1, 2), (&guide, 2, 1), (&classic, 1, 1)] {
            assert_ne!(base, BoardSeeds::new(other.0, other.1, other.2));
        }
        assert_ne!(base.side, base.fleets);
    }

    /// A change here changes every match ever played: it needs a new version of the arena, and says so in the changelog.
    #[test]
    fn seeds_are_what_they_always_were() {
        // Computed independently: SHA-256 of 8-byte little-endian lengths and parts, its first 8 bytes little-endian.
        assert_eq!(low_u64(&digest(&[b"a", b"bc"])), 13745204550435637914);
    }

    #[test]
    fn no_two_lists_of_parts_hash_alike() {
        assert_ne!(digest(&[b"a", b"bc"]), digest(&[b"ab", b"c"]));
    }
}
