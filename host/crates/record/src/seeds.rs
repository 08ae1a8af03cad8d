//! The seeds that are derived from a tournament's seed: those of its matches, its games and its boards.

use crate::Seed;
use crate::seed::hex;
use arena_rules::{GameKind, GameRules, Seat};
use arena_text::Line;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt;

/// The digest of some rules: SHA-256 over the game and the switches that differ from the game's frozen baseline, sorted by
/// name. The display name is not included, nor is a new switch with its default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RulesDigest([u8; 32]);

impl RulesDigest {
    /// The digest of these rules.
    pub fn of(rules: &GameRules) -> Self {
        let baseline = switches(&baseline(rules.kind()));
        let mut bytes = Vec::new();
        for (name, value) in switches(rules).iter().filter(|(name, value)| baseline.get(*name) != Some(value))
        {
            encode(&Value::from(name.as_str()), &mut bytes);
            encode(value, &mut bytes);
        }
        Self(digest(&[b"arena rules 1", rules.kind().name().as_bytes(), &bytes]))
    }
}

impl fmt::Display for RulesDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

/// The rules of a recording that leaves out all switches.
fn baseline(kind: GameKind) -> GameRules {
    let tag = serde_json::json!({ "game": kind });
    serde_json::from_value(tag).expect("every switch has a default")
}

/// The switches of these rules, sorted by name.
fn switches(rules: &GameRules) -> BTreeMap<String, Value> {
    let Ok(Value::Object(switches)) = serde_json::to_value(rules) else {
        unreachable!("rules are plain data with named switches")
    };
    switches.into_iter().filter(|(name, _)| name != "game" && name != "name").collect()
}

/// Appends a value in a fixed form, independent of any library's output: a kind, a length, the content.
fn encode(value: &Value, bytes: &mut Vec<u8>) {
    let (kind, content) = match value {
        Value::Null => (b'0', Vec::new()),
        Value::Bool(on) => (b'b', vec![u8::from(*on)]),
        Value::Number(number) => (b'n', number.to_string().into_bytes()),
        Value::String(text) => (b's', text.clone().into_bytes()),
        Value::Array(items) => {
            let mut content = Vec::new();
            items.iter().for_each(|item| encode(item, &mut content));
            (b'l', content)
        }
        Value::Object(fields) => {
            let mut content = Vec::new();
            // In the order of their names, whatever the order of the map.
            for (name, value) in fields.iter().collect::<BTreeMap<_, _>>() {
                encode(&Value::from(name.as_str()), &mut content);
                encode(value, &mut content);
            }
            (b'o', content)
        }
    };
    bytes.push(kind);
    bytes.extend((content.len() as u64).to_le_bytes());
    bytes.extend(content);
}

/// The seed of a match between two bots: a digest of the rules, the tournament's seed and the two components.
///
/// It does not depend on which of the two is named first, on the other contestants, or on the order of the games, so a
/// pairing plays the same games in any tournament with the same seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchSeed([u8; 32]);

/// The seeds of a pair of games. Both games of a pair use them, so that each bot has each seat's luck once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairSeeds {
    /// The seed of each seat.
    pub sides: [u64; 2],
    /// The seed for fleets that the engine places.
    pub fleets: u64,
}

impl MatchSeed {
    /// The seed of a match by these rules between the components with these SHA-256 hashes.
    pub fn new(rules: RulesDigest, seed: Seed, mut hashes: [&str; 2]) -> Self {
        hashes.sort_unstable();
        let [first, second] = hashes.map(str::as_bytes);
        Self(digest(&[b"arena match 1", &rules.0, seed.bytes(), first, second]))
    }

    /// The seeds of a pair of games, numbered from 0.
    pub fn pair(&self, pair: u32) -> PairSeeds {
        let number = |purpose: &[u8]| low_u64(&digest(&[&self.0, &pair.to_le_bytes(), purpose]));
        PairSeeds { sides: [number(b"seat 1"), number(b"seat 2")], fleets: number(b"fleets") }
    }

    /// The seat that moves first if the rules draw it.
    ///
    /// The bots swap seats from game to game, so one seat for the whole match gives each bot the start in turn.
    pub fn drawn_starter(&self) -> Seat {
        if low_u64(&digest(&[&self.0, b"starter"])) & 1 == 0 { Seat::First } else { Seat::Second }
    }
}

/// The seeds of a board that a bot clears alone. Every bot has the same boards, so that their figures compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardSeeds {
    /// The seed of the bot.
    pub side: u64,
    /// The seed for its own fleet and the one it shoots at.
    pub fleets: u64,
}

impl BoardSeeds {
    /// The seeds of a board, numbered from 1, by these rules.
    pub fn new(rules: RulesDigest, seed: Seed, board: u32) -> Self {
        let board = digest(&[b"arena board 1", &rules.0, seed.bytes(), &board.to_le_bytes()]);
        let number = |purpose: &[u8]| low_u64(&digest(&[&board, purpose]));
        Self { side: number(b"side"), fleets: number(b"fleets") }
    }
}

/// A public random value that was unknown when it was announced, such as the numbers of a lottery: one line of at most 200
/// characters. Chosen: three times the 64 digits of a round of drand.
pub type Beacon = Line<200>;

/// The draw of a stage's seed from values that an organiser cannot choose once the bots are known: a secret that was committed
/// to, a beacon that was announced, or both; and the bots themselves.
#[derive(Clone, Copy, Debug)]
pub struct StageDraw<'a> {
    /// The secret seed of the season, if it has one.
    pub secret: Option<&'a Seed>,
    /// The public random value, if one was announced.
    pub beacon: Option<&'a Beacon>,
    /// The number of the stage, from 1.
    pub stage: u64,
}

impl StageDraw<'_> {
    /// The seed of the stage between the components with these SHA-256 hashes, in any order.
    ///
    /// It is a SHA-256 over the words `arena stage 1`, the secret, the beacon, the stage's number as 8 bytes, little-endian, and
    /// the hashes in hexadecimal, sorted; each after its length as 8 bytes. A missing part has the length 0.
    pub fn seed<'a>(&self, hashes: impl IntoIterator<Item = &'a str>) -> Seed {
        let mut hashes: Vec<&[u8]> = hashes.into_iter().map(str::as_bytes).collect();
        hashes.sort_unstable();
        let secret = self.secret.map_or(&[][..], |secret| secret.bytes());
        let beacon = self.beacon.map_or("", |beacon| beacon.as_str());
        let stage = self.stage.to_le_bytes();
        let parts = [b"arena stage 1", secret, beacon.as_bytes(), &stage];
        Seed::of_bytes(digest(&parts.into_iter().chain(hashes).collect::<Vec<_>>()))
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
    use arena_rules::battleship::{OnSkip, Ruleset};
    use arena_rules::{Size, submarine};

    fn built_in(name: &str) -> RulesDigest {
        RulesDigest::of(&GameRules::named(name).unwrap())
    }

    fn seed(tournament: u64, hashes: [&str; 2]) -> MatchSeed {
        MatchSeed::new(built_in("guide"), tournament.into(), hashes)
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
        let wider = GameRules::named("guide").unwrap().resized(Size::new(11, 10)).unwrap();
        for rules in [RulesDigest::of(&wider), built_in("classic"), built_in("submarine")] {
            assert_ne!(base, MatchSeed::new(rules, 1.into(), ["aa", "bb"]));
        }
    }

    #[test]
    fn the_name_of_rules_is_no_part_of_their_digest_and_every_switch_is() {
        let guide = Ruleset::guide();
        let of = |rules: Ruleset| RulesDigest::of(&GameRules::Battleship(rules));
        let base = of(guide.clone());
        assert_eq!(base, of(Ruleset { name: "ours".into(), ..guide.clone() }));
        assert_ne!(base, of(Ruleset { skip: OnSkip::Lose, ..guide.clone() }));
        assert_ne!(base, of(Ruleset { fleet: vec![4, 3, 3, 2, 2, 2, 1, 1, 1], ..guide.clone() }));
        assert_ne!(base, of(Ruleset { turns_max: 401, ..guide }));
        let longer = submarine::Rules { actions_max: 10_001, ..submarine::Rules::default() };
        assert_ne!(built_in("submarine"), RulesDigest::of(&GameRules::Submarine(longer)));
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
        let base = BoardSeeds::new(built_in("guide"), 1.into(), 1);
        for (rules, seed, board) in [("guide", 1, 2), ("guide", 2, 1), ("classic", 1, 1)] {
            assert_ne!(base, BoardSeeds::new(built_in(rules), Seed::from(seed), board));
        }
        assert_ne!(base.side, base.fleets);
    }

    /// A change here changes every match ever played: it needs a new major version of the transcripts' format.
    #[test]
    fn seeds_are_what_they_always_were() {
        // Computed independently: SHA-256 of 8-byte little-endian lengths and parts, its first 8 bytes little-endian.
        assert_eq!(low_u64(&digest(&[b"a", b"bc"])), 13745204550435637914);
        let pinned = include_str!("../tests/data/seeds.txt");
        let mut lines = pinned.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        for rules in GameRules::built_in() {
            let digest = RulesDigest::of(&rules);
            let side = MatchSeed::new(digest, 1.into(), ["aa", "bb"]).pair(0).sides[0];
            let found = format!("{} {digest} {side:016x}", rules.name());
            assert_eq!(lines.next(), Some(found.as_str()));
        }
        assert_eq!(lines.next(), None);
    }

    #[test]
    fn no_two_lists_of_parts_hash_alike() {
        assert_ne!(digest(&[b"a", b"bc"]), digest(&[b"ab", b"c"]));
    }

    #[test]
    fn a_stage_draws_another_seed_with_another_secret_beacon_number_or_field_and_in_no_order() {
        let (secret, other) = (Seed::from(7), Seed::from(8));
        let (beacon, another) = (Beacon::new("3 17 22"), Beacon::new("3 17 23"));
        let draw = StageDraw { secret: Some(&secret), beacon: Some(&beacon), stage: 2 };
        let seed = draw.seed(["aa", "bb", "cc"]);
        assert_eq!(seed, draw.seed(["cc", "aa", "bb"]));
        let others = [
            StageDraw { secret: Some(&other), ..draw }.seed(["aa", "bb", "cc"]),
            StageDraw { secret: None, ..draw }.seed(["aa", "bb", "cc"]),
            StageDraw { beacon: Some(&another), ..draw }.seed(["aa", "bb", "cc"]),
            StageDraw { beacon: None, ..draw }.seed(["aa", "bb", "cc"]),
            StageDraw { stage: 3, ..draw }.seed(["aa", "bb", "cc"]),
            draw.seed(["aa", "bb"]),
            draw.seed(["aa", "bbcc"]),
        ];
        for (index, one) in others.iter().enumerate() {
            assert!(*one != seed && !others[..index].contains(one), "{index}");
        }
    }

    #[test]
    fn a_stage_draws_what_other_programs_compute() {
        // In Python: sha256(b"".join(len(p).to_bytes(8, "little") + p for p in parts)).hexdigest() of the parts that the
        // documentation lists.
        let beacon = Beacon::new("3 17 22");
        let draw = StageDraw { secret: Some(&Seed::from(7)), beacon: Some(&beacon), stage: 2 };
        assert_eq!(
            draw.seed(["bb", "aa"]).digits(),
            "5b9176a9b3169a229c79d92a01f6106c78a5777ada8efebb84c9d46cdedc4c36"
        );
    }
}
