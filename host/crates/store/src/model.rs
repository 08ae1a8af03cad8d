//! The content of a journal as it is built from its rows, each checked as one that a run could have written.

use crate::bounds::{BOTS_MAX, ENTRANTS_MAX, FAULTS_MAX, SETTINGS_BYTES_MAX, STAGES_MAX, TURNS_MAX};
use crate::chain::{ChainHead, Kind};
use crate::columns::{Columns, Values};
use crate::result_text::{OUTCOMES, StoredFault};
use crate::{
    Content, Draw, Entrant, GameKey, GameSet, JournalError, Moment, Stage, StoredGame, Tournament, Trail,
};
use arena_record::{
    Beacon, BotId, Conditions, GameResult, Label, Limits, PackedEvents, RecordedSeed, Seed, plain_rules,
};
use arena_rules::{GameRules, Seat, can_have_scores};
use std::collections::{BTreeMap, HashSet};

/// The row of a game.
pub(crate) struct GameRow<'a> {
    /// The number of the stage, from 1.
    pub(crate) stage: usize,
    pub(crate) key: GameKey,
    /// The contract of the bot in seat 1.
    pub(crate) contract: &'a str,
    /// The random seed of each seat.
    pub(crate) side_seeds: [u64; 2],
    pub(crate) fleet_seed: u64,
    pub(crate) starter: Seat,
    pub(crate) result: GameResult,
    /// The packed events.
    pub(crate) events: &'a [u8],
    /// True if a class of faults occurs twice.
    has_class_twice: bool,
}

impl<'a> GameRow<'a> {
    /// The row in these columns, in a journal with these rules; `None` for a row that was checked when the journal was read.
    ///
    /// # Errors
    /// A value that makes no sense.
    pub(crate) fn of(columns: &mut Columns<'a>, rules: Option<&GameRules>) -> Result<Self, JournalError> {
        let stage: usize = columns.whole()?;
        let seats = [columns.whole()?, columns.whole()?];
        let key = GameKey { seats, pair: columns.whole()?, game: columns.whole()? };
        let contract = columns.text()?;
        let side_seeds = [columns.side_seed()?, columns.side_seed()?];
        let fleet_seed = columns.side_seed()?;
        let starter = columns.whole::<u8>()?;
        let starter = Seat::try_from(starter).map_err(|_| columns.wrong("no seat starts it"))?;
        let (outcome, reason) = (columns.one_of(&OUTCOMES)?, columns.reason(rules)?);
        let scores = columns.scores()?;
        let turns = [columns.whole()?, columns.whole()?];
        let fuel = [columns.parsed()?, columns.parsed()?];
        let stored: Vec<StoredFault> = columns.json()?;
        let classes = stored.len();
        let faults: BTreeMap<_, _> = stored.into_iter().map(StoredFault::into_count).collect();
        let has_class_twice = classes != faults.len();
        let result =
            GameResult { outcome, reason, scores, turns, fuel, faults, reproducible: columns.truth()? };
        let events = columns.bytes()?;
        Ok(Self { stage, key, contract, side_seeds, fleet_seed, starter, result, events, has_class_twice })
    }
}

/// The content of the rows so far, in the order in which they were added.
#[derive(Debug, Default)]
pub(crate) struct Model {
    conditions: Option<Conditions>,
    pub(crate) bots: Vec<BotId>,
    pub(crate) stages: Vec<Stage>,
    /// What each stage has once.
    fields: Vec<Field>,
    /// The number of the latest stage with an entrant.
    entered: usize,
    /// The number of games, and the stage of the latest one.
    games: u64,
    latest_stage: usize,
    played: GameSet,
    /// The number of faults in all games.
    faults: u64,
    revealed_seed: Option<Seed>,
    /// The number of the last link of each stage, from 1.
    pub(crate) stage_links: Vec<usize>,
}

/// The bots and the labels of a stage.
#[derive(Debug, Default)]
struct Field {
    bots: HashSet<usize>,
    labels: HashSet<Label>,
}

impl Model {
    /// Adds a row with this number, which is the next one of its kind, and with the number of its link. Returns the game, if it is one.
    ///
    /// # Errors
    /// A row that no run could have written after those before it.
    pub(crate) fn add(
        &mut self,
        kind: Kind,
        number: i64,
        row: &Values<'_>,
        link: usize,
    ) -> Result<Option<StoredGame>, JournalError> {
        let columns = Columns::of(kind, number, row);
        if kind != Kind::Conditions && self.conditions.is_none() {
            return Err(columns.wrong("it comes before the conditions"));
        }
        match kind {
            Kind::Conditions => self.set_conditions(columns),
            Kind::Bot => self.add_bot(columns),
            Kind::Stage => self.add_stage(columns, link),
            Kind::Entrant => self.add_entrant(columns, link),
            Kind::Draw => self.add_draw(columns, link),
            Kind::Game => return self.add_game(columns).map(Some),
            Kind::ToldSeed => self.set_revealed_seed(columns),
        }?;
        Ok(None)
    }

    fn set_conditions(&mut self, mut columns: Columns<'_>) -> Result<(), JournalError> {
        if self.conditions.is_some() {
            return Err(columns.wrong("a journal has one row of them"));
        }
        self.conditions = Some(Conditions {
            arena: columns.text()?.into(),
            wasmtime: columns.text()?.into(),
            engine: columns.text()?.into(),
            rules: plain_rules(columns.json()?),
            limits: Limits { fuel_per_turn: columns.parsed()?, memory_bytes: columns.parsed()? },
            seed: columns.parsed()?,
        });
        Ok(())
    }

    fn add_bot(&mut self, mut columns: Columns<'_>) -> Result<(), JournalError> {
        if self.bots.len() == BOTS_MAX {
            return Err(columns.wrong(format!("a journal has at most {BOTS_MAX} bots")));
        }
        let [label, name, sha256] = [columns.text()?, columns.text()?, columns.text()?];
        self.bots.push(BotId { label: label.into(), name: name.into(), sha256: sha256.into() });
        Ok(())
    }

    fn add_stage(&mut self, mut columns: Columns<'_>, link: usize) -> Result<(), JournalError> {
        if self.stages.len() == STAGES_MAX {
            return Err(columns.wrong(format!("a journal has at most {STAGES_MAX} stages")));
        }
        let settings = columns.text()?;
        if settings.len() > SETTINGS_BYTES_MAX {
            return Err(columns.wrong(format!("its settings have more than {SETTINGS_BYTES_MAX} bytes")));
        }
        self.stage_links.push(link);
        self.stages.push(Stage { settings: settings.to_owned(), entrants: Vec::new(), draw: None });
        self.fields.push(Field::default());
        Ok(())
    }

    fn add_entrant(&mut self, mut columns: Columns<'_>, link: usize) -> Result<(), JournalError> {
        let [stage, place, bot]: [usize; 3] = [columns.whole()?, columns.whole()?, columns.whole()?];
        let label: Label = columns.text()?.into();
        let is_begun = self.latest_stage >= stage;
        let is_over = stage < self.entered;
        let field =
            stage.checked_sub(1).and_then(|index| self.stages.get_mut(index).zip(self.fields.get_mut(index)));
        let Some((into, field)) = field else {
            return Err(columns.wrong(format!("there is no stage {stage}")));
        };
        let cause = if is_begun || is_over {
            "its stage had begun already"
        } else if place != into.entrants.len() {
            "the places of its stage are not in order"
        } else if place >= ENTRANTS_MAX {
            "its stage has more bots than one can have"
        } else if bot >= self.bots.len() {
            "there is no such bot"
        } else if !field.bots.insert(bot) {
            "its bot is in the stage twice"
        } else if !field.labels.insert(label.clone()) {
            "another bot of the stage has the same label"
        } else {
            into.entrants.push(Entrant { bot, label });
            self.entered = stage;
            self.stage_links[stage - 1] = link;
            return Ok(());
        };
        Err(columns.wrong(cause))
    }

    /// Adds the seed of the latest stage. The stage has no games yet.
    fn add_draw(&mut self, mut columns: Columns<'_>, link: usize) -> Result<(), JournalError> {
        let stage: usize = columns.whole()?;
        let seed: RecordedSeed = columns.parsed()?;
        let beacon = if columns.is_null() { None } else { Some(columns.text()?) };
        let beacon = beacon.map(|text| (Beacon::new(text), text));
        let is_begun = self.latest_stage >= stage;
        let of_season = self.conditions.as_ref().map(|conditions| conditions.seed);
        let is_of_kind = |of: RecordedSeed| of.open().is_some() == seed.open().is_some();
        let told_before =
            self.stages.iter().filter_map(|stage| stage.draw.as_ref()).any(|draw| draw.seed == seed);
        let cause = if stage != self.stages.len() || stage == 0 {
            "it is not of the latest stage"
        } else if is_begun {
            "its stage had begun already"
        } else if self.revealed_seed.is_some() {
            "the season was closed before it"
        } else if !of_season.is_some_and(is_of_kind) {
            "it is revealed although the seed of the conditions is open, or the other way round"
        } else if told_before {
            "an earlier stage has the same seed"
        } else if beacon.as_ref().is_some_and(|(line, text)| line.as_str() != *text || text.is_empty()) {
            "its beacon is not one plain line"
        } else {
            let entry = &mut self.stages[stage - 1];
            let drawn = Draw { seed, beacon: beacon.map(|(line, _)| line) };
            let has_beacon = drawn.beacon.is_some();
            entry.draw = Some(drawn);
            self.stage_links[stage - 1] = link;
            return match seed.open() {
                Some(seed) if has_beacon && seed != entry.drawn(stage, None, &self.bots) => {
                    Err(columns.wrong("it does not follow from its beacon and its bots"))
                }
                _ => Ok(()),
            };
        };
        Err(columns.wrong(cause))
    }

    fn add_game(&mut self, mut columns: Columns<'_>) -> Result<StoredGame, JournalError> {
        let rules = self.conditions.as_ref().map(|conditions| &conditions.rules);
        let range = rules.and_then(GameRules::score_range);
        let GameRow { stage, key, result, events, has_class_twice, .. } = GameRow::of(&mut columns, rules)?;
        let GameKey { seats, .. } = key;
        // Of its moves, only the number of turns is read: it bounds what else the row may claim.
        let turns_max = PackedEvents::turns_of(events).map_err(|error| columns.wrong(error))?.into();
        let faults = self.faults.saturating_add(fault_count(&result));
        let field = stage.checked_sub(1).and_then(|index| self.fields.get(index));
        let is_closed = self.revealed_seed.is_some();
        let has_draw = stage.checked_sub(1).and_then(|index| self.stages.get(index)?.draw.as_ref()).is_some();
        let cause = if field.is_none() || stage < self.latest_stage {
            "its stage is over, or does not exist"
        } else if is_closed && has_draw {
            "the season was closed before it"
        } else if seats[0] == seats[1] {
            "a bot plays against itself"
        } else if !seats.iter().all(|seat| field.is_some_and(|field| field.bots.contains(seat))) {
            "a bot of it is not in its stage"
        } else if key.game.checked_sub(1).map(|before| before / 2) != Some(key.pair) {
            "its pair does not follow from its number among the games of its bots"
        } else if !self.played.insert(seats, key.game) {
            "the journal has it already"
        } else if has_class_twice {
            "a class of faults is there twice"
        } else if !can_have_scores(result.scores, range, (result.outcome, result.reason)) {
            "it has scores that no such game of this journal can have"
        } else if turns_max > TURNS_MAX {
            "it has more turns than any game"
        } else if !fits(&result, turns_max) {
            "it has more turns or faults than its events can have"
        } else if faults > FAULTS_MAX {
            "the games have more faults than a journal can have"
        } else {
            self.faults = faults;
            self.games += 1;
            self.latest_stage = stage;
            return Ok(StoredGame { number: self.games, stage, key, result });
        };
        Err(columns.wrong(cause))
    }

    fn set_revealed_seed(&mut self, mut columns: Columns<'_>) -> Result<(), JournalError> {
        if self.revealed_seed.is_some() {
            return Err(columns.wrong("a seed is revealed once"));
        }
        let told = columns.parsed()?;
        if self.conditions.as_ref().is_none_or(|conditions| !conditions.seed.is_of(&told)) {
            return Err(columns.wrong("it is not the seed that the conditions have the hash of"));
        }
        // The seeds of the stages of a secret season follow from the secret.
        for (number, stage) in (1..).zip(&self.stages) {
            let follows = |draw: &Draw| {
                draw.seed.open().is_some() || draw.seed.is_of(&stage.drawn(number, Some(&told), &self.bots))
            };
            if !stage.draw.as_ref().is_none_or(follows) {
                return Err(columns.wrong(format!("the seed of stage {number} does not follow from it")));
            }
        }
        self.revealed_seed = Some(told);
        Ok(())
    }

    /// The content without games, with the end of its chain.
    ///
    /// # Errors
    /// A journal without conditions.
    pub(crate) fn into_content(
        self,
        head: ChainHead,
        (moments, clock): (Vec<Moment>, Option<ChainHead>),
        trail: Trail,
    ) -> Result<Content, JournalError> {
        let Self { conditions, bots, stages, revealed_seed, .. } = self;
        let conditions =
            conditions.ok_or_else(|| JournalError::damaged("the conditions", "they are missing"))?;
        let tournament = Tournament { conditions, bots };
        let games = Vec::new();
        Ok(Content { tournament, stages, moments, clock, games, revealed_seed, trail, head })
    }
}

/// The number of faults of both bots.
fn fault_count(result: &GameResult) -> u64 {
    // The sum of 32-bit numbers for the few existing classes fits.
    result.faults.values().map(|fault| u64::from(fault.count)).sum()
}

/// True if a game with this number of turns can have these turns and faults.
fn fits(result: &GameResult, turns_max: u64) -> bool {
    let turns: u64 = result.turns.iter().copied().map(u64::from).sum();
    let is_sound = result
        .faults
        .iter()
        .all(|((seat, _), fault)| fault.count > 0 && fault.first_turn <= result.turns[seat.index()]);
    // Each side may have failed to deploy, too.
    is_sound && turns <= turns_max && fault_count(result) <= turns_max + 2
}
