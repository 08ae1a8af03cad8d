//! `foreseer` is a specimen: a bot that guesses or knows the seed, and so foresees where its opponent places its ships.
//!
//! A match's seed is a digest of the rules, the tournament's seed and the hashes of the two components. All but the tournament's
//! seed is public. So the bot hashes itself, tries small seeds and those that it carries, with the opponents whose hashes it
//! carries, until one gives the random seed that it was given, and works out the random seed of the other side. Of an opponent with
//! the SDK's default placement it then knows every ship. If it finds no seed, it shoots at random.
//!
//! No file can contain its own hash, but this one contains all of its other bytes: `arena_testkit::foreseer` fills `HOLE`
//! after the build, and `own_hash` puts the file together again.
#![warn(missing_docs)]

use arena_record::{MatchSeed, RulesDigest, Seed};
use arena_rules::GameRules;
use arena_sdk::{Bot, Coord, Game, Placement, View};
use sha2::{Digest, Sha256};
use std::hint::black_box;

/// The size of the hole, in bytes. Chosen: somewhat more than the rest of the file, which has 370 KiB.
const HOLE_BYTES: usize = 1 << 19;

/// The byte that fills the hole before the file's own bytes are written into it.
const EMPTY: u8 = 0xa5;

/// The room for the rest of the file. It begins with four numbers of 32 bits, little-endian: those of the bytes before the hole,
/// of the bytes behind it, of opponents and of seeds. These bytes follow, then the SHA-256 of each opponent and each seed, in 64
/// hexadecimal digits.
#[used]
static HOLE: [u8; HOLE_BYTES] = [EMPTY; HOLE_BYTES];

/// The number of seeds that are tried, from 0. Chosen: with three opponents they take a third of the fuel of `guide`.
const SEEDS: u64 = 100;

/// The number of pairs of games that are tried for each seed. Chosen: those of a match of ten games.
const PAIRS: u32 = 5;

/// The bot. Its state is the foreseen fleet of its opponent.
#[derive(Default)]
pub struct Foreseer {
    foreseen: Vec<Coord>,
}

impl Bot for Foreseer {
    const NAME: &'static str = "foreseer";

    fn deploy(&mut self, game: &Game) -> Vec<Placement> {
        match foresee(game.seed) {
            Some(seed) => {
                println!("the opponent's seed is {seed:016x}");
                let theirs = Game { seed, ..game.clone() };
                let fleet = theirs.random_fleet(&mut theirs.rng(0));
                self.foreseen = fleet
                    .iter()
                    .zip(&game.fleet)
                    .flat_map(|(ship, &length)| cells(game, *ship, length))
                    .collect();
            }
            None => println!("no seed was found"),
        }
        game.random_fleet(&mut game.rng(0))
    }

    fn play(&mut self, game: &Game, view: &View) -> Option<Coord> {
        let foreseen = self.foreseen.iter().copied().find(|&cell| view.is_legal(cell));
        foreseen.or_else(|| game.rng(view.turn).pick(view.targets()))
    }
}

arena_sdk::export!(Foreseer);

/// The cells of a ship.
fn cells(game: &Game, ship: Placement, length: u8) -> impl Iterator<Item = Coord> {
    (0..length).filter_map(move |steps| game.size.step(ship.anchor, ship.direction, steps))
}

/// The random seed of the other side, from that of this one, if the tournament's seed is among those that are tried.
fn foresee(mine: u64) -> Option<u64> {
    let file = File::in_hole()?;
    let own = file.own_hash();
    let rules = RulesDigest::of(&GameRules::named("guide")?);
    let opponents = || file.opponents.chunks(64).filter_map(|hash| std::str::from_utf8(hash).ok());
    let known = file.seeds.chunks(64).filter_map(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
    let matches = known.chain((0..SEEDS).map(Seed::from)).flat_map(|seed| {
        let own = &own;
        opponents().map(move |opponent| MatchSeed::new(rules, seed, [own, opponent]))
    });
    let sides = matches.flat_map(|seed| (0..PAIRS).map(move |pair| seed.pair(pair).sides));
    sides.into_iter().find_map(|[first, second]| match mine {
        mine if mine == first => Some(second),
        mine if mine == second => Some(first),
        _ => None,
    })
}

/// The parts of this component's file, as the hole has them.
struct File {
    before: &'static [u8],
    behind: &'static [u8],
    opponents: &'static [u8],
    seeds: &'static [u8],
}

impl File {
    /// The parts, if the hole has been filled.
    fn in_hole() -> Option<Self> {
        let hole = hole();
        let number = |at: usize| Some(u32::from_le_bytes(*hole.get(at..)?.first_chunk()?) as usize);
        let [before, behind, opponents, seeds] = [number(0)?, number(4)?, number(8)?, number(12)?];
        let (before, rest) = hole.get(16..)?.split_at_checked(before)?;
        let (behind, rest) = rest.split_at_checked(behind)?;
        let (opponents, rest) = rest.split_at_checked(opponents.checked_mul(64)?)?;
        Some(Self { before, behind, opponents, seeds: rest.get(..seeds.checked_mul(64)?)? })
    }

    /// The SHA-256 of the whole file, in hexadecimal.
    fn own_hash(&self) -> String {
        let mut hasher = Sha256::new();
        [self.before, hole(), self.behind].iter().for_each(|part| hasher.update(part));
        hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The hole as it is in the file that runs, which the compiler does not know.
fn hole() -> &'static [u8] {
    black_box(&HOLE)
}
