//! Several journals as one season: games that were played apart are counted together, and each journal keeps its own chain.

use crate::error::Error;
use crate::ranking::Ranking;
use crate::season;
use crate::stored::{At, StoredSeason, failure_to_read};
use crate::tournament::{GameSummary, Results, Settings};
use arena_league::Fixture;
use arena_record::{BotId, Conditions, GameResult, Label, RecordedSeed, Seed};
use arena_store::{ChainHead, Difference, JournalError, Reader, Tournament};
use arena_text::{ShownPath, shown};
use std::collections::HashMap;
use std::path::PathBuf;

/// The results of several journals together.
pub struct Union {
    /// The conditions of the last journal's latest stage. All have the same except for their seeds.
    pub conditions: Conditions,
    /// The seed of that stage, if it has been revealed.
    pub revealed: Option<Seed>,
    /// The settings of that stage.
    pub settings: Settings,
    /// The bots, in the order in which they came.
    pub bots: Vec<BotId>,
    /// The newest version of each bot: the bot that has its label now, which may be itself.
    pub newest: Vec<usize>,
    /// The results.
    pub results: Results,
    /// Each journal with the end of its chain, if it has one.
    pub journals: Vec<(ShownPath, Option<ChainHead>)>,
    /// True if each season is closed.
    pub is_closed: bool,
    /// The first and the last time that the journals record, in UTC; `None` if one of them records no times.
    pub dates: Option<[String; 2]>,
    /// The notes about games that may be missing, and about those that are kept and do not count.
    pub notes: Vec<String>,
    /// The stages of the one journal, each with the head at its end; empty for several journals.
    pub stages: Vec<StageEnd>,
    /// The journal of each game by its number here, and its number there.
    places: Vec<(usize, usize)>,
    /// The tournament of each journal, which its recordings are of.
    pub tournaments: Vec<Tournament>,
    /// The stages of each journal as it has them: see [`KeptAt::labels`].
    pub entries: Vec<Vec<arena_store::Stage>>,
    /// The journals, to be read.
    pub readers: Vec<Reader>,
    /// The place of each game's recording; `None` for games that were not played.
    pub kept: Vec<Option<KeptAt>>,
}

/// A stage of a season as far as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageEnd {
    /// The time at which it began, in UTC; `None` in formats without times.
    pub begun: Option<String>,
    /// The number of games of the season at its end.
    pub games: usize,
    /// The head of the chain at its end; `None` in formats without a chain.
    pub head: Option<ChainHead>,
}

/// The place of a recording.
#[derive(Clone, Copy, Debug)]
pub struct KeptAt {
    /// The index of the journal.
    pub journal: usize,
    /// The number of the game in the order in which the journal was written.
    pub number: u64,
    /// The game as the journal names it.
    pub fixture: Fixture,
    /// The seed of its stage.
    pub seed: RecordedSeed,
    /// The number of the stage in which it was played, from 1.
    pub stage: usize,
    /// The time of the game to about a minute, in seconds since 1970; `None` in formats without times.
    pub at: Option<i64>,
}

impl KeptAt {
    /// The labels that the bots had in the stage of the game, by seat, from the stages of its journal. The files that its run wrote
    /// have them in their names; since then, a label may have gone to a later version.
    pub fn labels<'a>(&self, stages: &'a [arena_store::Stage]) -> Option<[&'a Label; 2]> {
        let entrants = &stages.get(self.stage.checked_sub(1)?)?.entrants;
        let label = |bot: usize| entrants.iter().find(|entrant| entrant.bot == bot).map(|it| &it.label);
        let [first, second] = self.fixture.seats.map(label);
        Some([first?, second?])
    }
}

/// A game that was played under one seed is the same one in two journals.
type SameGame = (RecordedSeed, [usize; 2], u32);

impl Union {
    /// Reads journals, which other processes may be writing, as they were at a moment or are now.
    ///
    /// # Errors
    /// One that cannot be read, conditions that differ by more than the seed, or games that contradict each other.
    pub fn read(paths: &[PathBuf], at: Option<&At>) -> Result<Self, Error> {
        if let [path] = paths {
            let (season, reader) = StoredSeason::read_at(path, at)?;
            return Self::of_one(shown(path), season, reader);
        }
        let (mut seasons, mut readers) = (Vec::new(), Vec::new());
        for path in paths {
            let (season, reader) = StoredSeason::read_at(path, at)?;
            seasons.push((shown(path), season));
            readers.push(reader);
        }
        let Some((_, latest)) = seasons.last() else {
            return Err(Error::usage("no journal is named", "name one or more"));
        };
        require_same_conditions(&seasons)?;
        let mut bots = Vec::new();
        let numbers: Vec<_> =
            seasons.iter().map(|(_, season)| enter(&mut bots, &season.tournament.bots)).collect();
        let stages = seasons.iter().zip(&numbers).flat_map(|((_, season), numbers)| {
            season.entries.iter().cloned().map(|mut stage| {
                stage.entrants.iter_mut().for_each(|entrant| entrant.bot = numbers[entrant.bot]);
                stage
            })
        });
        let newest = season::label_versions(&mut bots, &stages.collect::<Vec<_>>());
        let mut union = Self {
            conditions: latest.tournament.conditions.clone(),
            revealed: latest.revealed(),
            settings: latest.settings,
            results: Results { complete: true, ..Results::new(bots.len()) },
            bots,
            newest,
            journals: Vec::new(),
            is_closed: seasons.iter().all(|(_, season)| season.revealed_seed.is_some()),
            dates: dates(seasons.iter().map(|(_, season)| season)),
            notes: Vec::new(),
            stages: Vec::new(),
            places: Vec::new(),
            tournaments: seasons.iter().map(|(_, season)| season.tournament.clone()).collect(),
            entries: seasons.iter().map(|(_, season)| season.entries.clone()).collect(),
            readers,
            kept: Vec::new(),
        };
        let mut same = HashMap::new();
        for ((name, season), numbers) in seasons.into_iter().zip(numbers) {
            union.add(name, season, &numbers, &mut same)?;
        }
        Ok(union)
    }

    /// Adds a journal whose bots have these numbers here.
    fn add(
        &mut self,
        name: ShownPath,
        season: StoredSeason,
        numbers: &[usize],
        same: &mut HashMap<SameGame, GameResult>,
    ) -> Result<(), Error> {
        let Self { results, places, journals, kept, .. } = self;
        // The number of pairs of games that two bots have in the journals before.
        let mut pairs: HashMap<[usize; 2], u32> = HashMap::new();
        for Fixture { seats, pair, .. } in results.games.iter().map(|game| game.fixture) {
            let before = pairs.entry(sorted(seats)).or_default();
            *before = (*before).max(pair + 1);
        }
        let mut twice = 0;
        let mut renumbered = HashMap::new();
        for game in &season.results.games {
            let Fixture { seats, pair, game: in_match } = game.fixture;
            let seats = seats.map(|bot| numbers[bot]);
            let seed = season.seed_of(&game.fixture).filter(|_| game.is_played());
            if let (Ok(result), Some(seed)) = (&game.result, seed) {
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
            kept.push(season.kept_at(journals.len(), game));
            places.push((journals.len(), game.number));
            renumbered.insert(game.number, places.len());
            results.count(GameSummary { number: places.len(), fixture, ..game.clone() }, Vec::new(), false);
        }
        let Results { disqualified, field, anchor, games_planned, complete, .. } = season.results;
        for mut out in disqualified {
            out.contestant = numbers[out.contestant];
            out.after_game = renumbered.get(&out.after_game).copied().unwrap_or(out.after_game);
            if results.disqualified.iter().all(|known| known.contestant != out.contestant) {
                results.disqualified.push(out);
            }
        }
        for bot in field.into_iter().map(|bot| numbers[bot]) {
            if !results.field.contains(&bot) {
                results.field.push(bot);
            }
        }
        results.anchor = results.anchor.or(anchor.map(|bot| numbers[bot]));
        results.games_planned += games_planned - twice;
        results.complete &= complete;
        journals.push((name, season.head));
        self.notes.extend(season.notes);
        Ok(())
    }

    /// The standings.
    pub fn ranking(&self) -> Ranking<'_> {
        Ranking::new(&self.settings, &self.bots, &self.results)
    }

    /// One journal.
    fn of_one(name: ShownPath, season: StoredSeason, reader: Reader) -> Result<Self, Error> {
        let stages = stage_ends(&season, &reader).map_err(|error| failure_to_read(&name, error))?;
        let kept = season.results.games.iter().map(|game| season.kept_at(0, game)).collect();
        Ok(Self {
            is_closed: season.revealed_seed.is_some(),
            dates: dates([&season]),
            conditions: season.tournament.conditions.clone(),
            revealed: season.revealed(),
            settings: season.settings,
            bots: season.tournament.bots.clone(),
            newest: season.newest,
            places: season.results.games.iter().map(|game| (0, game.number)).collect(),
            results: season.results,
            journals: vec![(name, season.head)],
            notes: season.notes,
            tournaments: vec![season.tournament],
            entries: vec![season.entries],
            readers: vec![reader],
            stages,
            kept,
        })
    }

    /// The journal of a game by its number here, and its number there.
    pub fn place_of(&self, number: usize) -> Option<(&ShownPath, usize)> {
        let &(journal, there) = self.places.get(number.checked_sub(1)?)?;
        Some((&self.journals[journal].0, there))
    }

    /// The index of the journal of a game by its number here, and its number there; the first journal and the number itself when no
    /// journal has it.
    pub fn index_of(&self, number: usize) -> (usize, usize) {
        number.checked_sub(1).and_then(|place| self.places.get(place)).copied().unwrap_or((0, number))
    }
}

/// The stages of a season, each with the head at its end.
fn stage_ends(season: &StoredSeason, reader: &Reader) -> Result<Vec<StageEnd>, JournalError> {
    let mut played = vec![0; season.entries.len()];
    season.known.values().for_each(|(stage, _)| played[stage - 1] += 1);
    let mut games = 0;
    let end = |(stage, played): (usize, usize)| {
        games += played;
        let begun = season.begun(stage).map(str::to_owned);
        Ok(StageEnd { begun, games, head: reader.head_after(games, stage)? })
    };
    (1..).zip(played).map(end).collect()
}

/// The first and the last time that journals record; `None` if one of them records no times.
fn dates<'a>(seasons: impl IntoIterator<Item = &'a StoredSeason>) -> Option<[String; 2]> {
    let mut all: Option<[String; 2]> = None;
    for season in seasons {
        let times = || season.moments.iter().map(|moment| &moment.at);
        let (first, last) = (times().min()?.clone(), times().max()?.clone());
        all = Some(match all {
            None => [first, last],
            Some([from, to]) => [from.min(first), to.max(last)],
        });
    }
    all
}

/// Requires the same versions, rules and limits in all journals. Their seeds differ.
fn require_same_conditions(seasons: &[(ShownPath, StoredSeason)]) -> Result<(), Error> {
    let Some(((first, before), others)) = seasons.split_first() else { return Ok(()) };
    let seed = before.tournament.conditions.seed;
    for (name, other) in others {
        let now = Conditions { seed, ..other.tournament.conditions.clone() };
        if let Some(Difference { what, journal, now }) = before.tournament.difference(&now) {
            return Err(Error::usage(
                format!("{what} is {journal} in {first} and {now} in {name}"),
                "name journals of one season: with the same rules and limits, by the same arena",
            ));
        }
    }
    Ok(())
}

/// Enters the bots of a journal that are new, and returns the number of each of them.
fn enter(all: &mut Vec<BotId>, bots: &[BotId]) -> Vec<usize> {
    let mut taken = vec![false; all.len()];
    let mut number = |bot: &BotId| {
        let known = (0..taken.len()).find(|&known| !taken[known] && all[known].sha256 == bot.sha256);
        let number = known.unwrap_or_else(|| {
            all.push(bot.clone());
            taken.push(false);
            taken.len() - 1
        });
        taken[number] = true;
        number
    };
    bots.iter().map(&mut number).collect()
}

fn sorted([first, second]: [usize; 2]) -> [usize; 2] {
    [first.min(second), first.max(second)]
}
