//! Several journals as one season: games that were played apart are counted together, and each journal keeps its own chain.

use crate::error::Error;
use crate::journal::{At, StoredSeason};
use crate::ranking::Ranking;
use crate::season;
use crate::tournament::{GameSummary, Results, Settings};
use arena_league::Fixture;
use arena_record::{BotId, Conditions, GameResult, RecordedSeed, Seed};
use arena_store::ChainHead;
use arena_text::{ShownPath, shown};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The results of several journals together.
pub struct Union {
    /// The conditions of the last journal's latest stage. All have the same but for their seeds.
    pub conditions: Conditions,
    /// The seed of that stage, if it has been told.
    pub told: Option<Seed>,
    /// The settings of that stage.
    pub settings: Settings,
    /// The bots, in the order in which they came.
    pub bots: Vec<BotId>,
    /// The results.
    pub results: Results,
    /// Each journal with the end of its chain, if it has one.
    pub journals: Vec<(ShownPath, Option<ChainHead>)>,
    /// The notes about games that are kept and do not count.
    pub uncounted: Vec<String>,
    /// The journal of each game by its number here, and its number there.
    places: Vec<(usize, usize)>,
}

/// A game that was played under one seed is the same one in two journals.
type SameGame = (RecordedSeed, [usize; 2], u32);

impl Union {
    /// Reads journals, which other processes may be writing, as they were at a moment or are now.
    ///
    /// # Errors
    /// One that cannot be read, conditions that differ by more than the seed, or games that contradict each other.
    pub fn read(paths: &[PathBuf], at: Option<&At>) -> Result<Self, Error> {
        let mut union: Option<Self> = None;
        let mut same = HashMap::new();
        let mut stages = Vec::new();
        for path in paths {
            let (kept, _) = StoredSeason::read_at(path, at)?;
            let numbers = |union: &mut Self| {
                union.require_same(path, &kept)?;
                Ok::<_, Error>(union.enter(&kept.tournament.bots))
            };
            let union = union.get_or_insert_with(|| Self::new(&kept));
            let numbers = numbers(union)?;
            stages.extend(kept.entries.iter().cloned().map(|mut stage| {
                stage.entrants.iter_mut().for_each(|entrant| entrant.bot = numbers[entrant.bot]);
                stage
            }));
            union.add(path, kept, &numbers, &mut same)?;
        }
        let mut union = union.ok_or_else(|| Error::usage("no journal is named", "name one or more"))?;
        season::label_versions(&mut union.bots, &stages);
        Ok(union)
    }

    fn new(first: &StoredSeason) -> Self {
        Self {
            conditions: first.tournament.conditions.clone(),
            told: None,
            settings: first.settings,
            bots: Vec::new(),
            results: Results { complete: true, ..Results::new(0) },
            journals: Vec::new(),
            uncounted: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Requires the same versions, rules and limits.
    fn require_same(&self, path: &Path, kept: &StoredSeason) -> Result<(), Error> {
        let now = Conditions { seed: self.conditions.seed, ..kept.tournament.conditions.clone() };
        let before = arena_store::Tournament { conditions: self.conditions.clone(), bots: Vec::new() };
        let Some(arena_store::Difference { what, journal, now }) = before.difference(&now) else {
            return Ok(());
        };
        let first = self.journals.first().map_or("", |(name, _)| name.as_str());
        Err(Error::usage(
            format!("{what} is {journal} in {first} and {now} in {}", shown(path)),
            "name journals of one season: with the same rules and limits, by the same arena",
        ))
    }

    /// Enters the bots that are new, and returns the number of each bot here.
    fn enter(&mut self, bots: &[BotId]) -> Vec<usize> {
        let mut taken = vec![false; self.bots.len()];
        let mut number = |bot: &BotId| {
            let known =
                (0..taken.len()).find(|&known| !taken[known] && self.bots[known].sha256 == bot.sha256);
            let number = known.unwrap_or_else(|| {
                self.bots.push(bot.clone());
                taken.push(false);
                taken.len() - 1
            });
            taken[number] = true;
            number
        };
        bots.iter().map(&mut number).collect()
    }

    /// Adds a journal whose bots have these numbers here.
    fn add(
        &mut self,
        path: &Path,
        kept: StoredSeason,
        numbers: &[usize],
        same: &mut HashMap<SameGame, GameResult>,
    ) -> Result<(), Error> {
        let name = shown(path);
        let journal = self.journals.len();
        let earlier = std::mem::replace(&mut self.results, Results::new(self.bots.len()));
        let Results { games, disqualified, anchor, field, games_planned, complete, .. } = earlier;
        // The pairs of games that two bots have in the journals before.
        let mut pairs: HashMap<[usize; 2], u32> = HashMap::new();
        for game in &games {
            let next = pairs.entry(sorted(game.fixture.seats)).or_default();
            *next = (*next).max(game.fixture.pair + 1);
        }
        self.results.anchor = anchor;
        self.results.field = field;
        games.into_iter().for_each(|game| self.results.count(game, Vec::new(), false));
        self.results.disqualified = disqualified;

        let mut twice = 0;
        let mut renumbered = HashMap::new();
        for game in &kept.results.games {
            let Fixture { seats, pair, game: in_match } = game.fixture;
            let seats = seats.map(|bot| numbers[bot]);
            if let (Ok(result), Some(seed)) =
                (&game.result, kept.seed_of(&game.fixture).filter(|_| game.is_played()))
            {
                match same.insert((seed.recorded, seats, in_match), result.clone()) {
                    Some(other) if other != *result => {
                        return Err(Error::usage(
                            format!("{name}: its game {} has another result in another journal", game.number),
                            "find the one that was altered with `arena verify --journal`, and leave it out",
                        ));
                    }
                    Some(_) => {
                        twice += 1;
                        continue;
                    }
                    None => {}
                }
            }
            let before = pairs.get(&sorted(seats)).copied().unwrap_or(0);
            let fixture = Fixture { seats, pair: pair + before, game: in_match + 2 * before };
            let number = self.places.len() + 1;
            self.places.push((journal, game.number));
            renumbered.insert(game.number, number);
            self.results.count(GameSummary { number, fixture, ..game.clone() }, Vec::new(), false);
        }
        let results = kept.results.clone();
        for mut out in results.disqualified {
            out.contestant = numbers[out.contestant];
            out.after_game = renumbered.get(&out.after_game).copied().unwrap_or(out.after_game);
            if self.results.disqualified.iter().all(|known| known.contestant != out.contestant) {
                self.results.disqualified.push(out);
            }
        }
        for bot in results.field {
            if !self.results.field.contains(&numbers[bot]) {
                self.results.field.push(numbers[bot]);
            }
        }
        self.results.anchor = self.results.anchor.or(results.anchor.map(|bot| numbers[bot]));
        self.results.games_planned = games_planned + results.games_planned - twice;
        self.results.complete = complete && results.complete;
        self.told = kept.told();
        self.settings = kept.settings;
        self.conditions.seed = kept.tournament.conditions.seed;
        self.journals.push((name, kept.head));
        self.uncounted.extend(kept.uncounted);
        Ok(())
    }

    /// The standings.
    pub fn ranking(&self) -> Ranking<'_> {
        Ranking::new(&self.settings, &self.bots, &self.results)
    }

    /// The journal of a game by its number here, and its number there.
    pub fn place_of(&self, number: usize) -> Option<(&ShownPath, usize)> {
        let &(journal, there) = self.places.get(number.checked_sub(1)?)?;
        Some((&self.journals[journal].0, there))
    }
}

fn sorted([first, second]: [usize; 2]) -> [usize; 2] {
    [first.min(second), first.max(second)]
}
