//! The content of a journal as it is built from its rows, each checked as one that a run could have written.

use crate::bounds::{
    BOTS_MAX, ENTRANTS_MAX, FAULTS_MAX, LINE_BYTES_MIN, SETTINGS_BYTES_MAX, STAGES_MAX, TRANSCRIPT_BYTES_MAX,
    TURNS_MAX,
};
use crate::chain::{ChainHead, Kind};
use crate::columns::Columns;
use crate::headers::Setting;
use crate::moment;
use crate::result_text::{OUTCOMES, StoredFault};
use crate::{Content, Draw, Entrant, GameKey, JournalError, Moment, Stage, StoredGame, Tournament, Trail};
use arena_record::{
    Beacon, BotId, Conditions, GameResult, Label, Limits, PackedEvents, RecordedSeed, Seed, plain_rules,
};
use arena_rules::{GameRules, Seat};
use rusqlite::Row;
use std::collections::{BTreeMap, HashSet};

/// The proof that the moves of a game are those that were read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    /// The number of the game's link, from 1, which has its events; 0 in formats without a chain.
    pub(crate) link: usize,
    /// Its transcript, if it has no events.
    pub(crate) file: Option<KeptFile>,
}

/// A transcript that a game has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeptFile {
    /// The SHA-256 of the file.
    pub(crate) sha256: [u8; 32],
    pub(crate) size_bytes: u64,
}

/// The row of a game.
pub(crate) struct GameRow<'a> {
    /// The number of the stage, from 1.
    pub(crate) stage: usize,
    pub(crate) setting: Setting,
    pub(crate) result: GameResult,
    pub(crate) moves: Moves<'a>,
    /// True if a class of faults occurs twice.
    has_class_twice: bool,
}

/// The moves of a game as its row has them.
pub(crate) enum Moves<'a> {
    /// Its transcript is elsewhere.
    File(KeptFile),
    /// The packed events.
    Events(&'a [u8]),
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
        let side_seeds = [columns.side_seed()?, columns.side_seed()?];
        let fleet_seed = columns.side_seed()?;
        let starter = columns.whole::<u8>()?;
        let starter = Seat::try_from(starter).map_err(|_| columns.wrong("no seat starts it"))?;
        let (outcome, reason) = (columns.one_of(&OUTCOMES)?, columns.reason(rules)?);
        let turns = [columns.whole()?, columns.whole()?];
        let fuel = [columns.parsed()?, columns.parsed()?];
        let stored: Vec<StoredFault> = columns.json()?;
        let classes = stored.len();
        let faults: BTreeMap<_, _> = stored.into_iter().map(StoredFault::into_count).collect();
        let has_class_twice = classes != faults.len();
        let result = GameResult { outcome, reason, turns, fuel, faults, reproducible: columns.truth()? };
        let moves = match (columns.is_null()?, columns.has_events()?) {
            (true, true) => {
                columns.skip_transcript()?;
                Moves::Events(columns.bytes()?)
            }
            (false, false) => {
                Moves::File(KeptFile { sha256: columns.sha256()?, size_bytes: columns.whole()? })
            }
            (true, false) => return Err(columns.wrong("its transcript is missing")),
            (false, true) => return Err(columns.wrong("it has events and a transcript")),
        };
        let setting = Setting { key, side_seeds, fleet_seed, starter };
        Ok(Self { stage, setting, result, moves, has_class_twice })
    }
}

/// The content of the rows so far, in the order in which they were added.
#[derive(Debug, Default)]
pub(crate) struct Model {
    conditions: Option<Conditions>,
    pub(crate) bots: Vec<BotId>,
    stages: Vec<Stage>,
    /// What each stage has once.
    fields: Vec<Field>,
    /// The number of the latest stage with an entrant.
    entered: usize,
    moments: Vec<Moment>,
    games: Vec<StoredGame>,
    /// The keys of the games, without the pair.
    keys: HashSet<([usize; 2], u32)>,
    /// The number of faults in all games.
    faults: u64,
    revealed_seed: Option<Seed>,
    pub(crate) dictionary: Vec<u8>,
    /// The transcript of each game.
    pub(crate) transcripts: Vec<Kept>,
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
    /// Adds a row with this number, which is the next one of its kind, and with the number of its link.
    ///
    /// # Errors
    /// A row that no run could have written after those before it.
    pub(crate) fn add(
        &mut self,
        kind: Kind,
        number: i64,
        row: &Row<'_>,
        link: usize,
    ) -> Result<(), JournalError> {
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
            Kind::Moment => self.add_moment(columns),
            Kind::Dictionary => self.set_dictionary(columns),
            Kind::Game => self.add_game(columns, link),
            Kind::ToldSeed => self.set_revealed_seed(columns),
        }
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
        self.push_stage(settings.to_owned(), link);
        Ok(())
    }

    fn push_stage(&mut self, settings: String, link: usize) {
        self.stage_links.push(link);
        self.stages.push(Stage { settings, entrants: Vec::new(), draw: None });
        self.fields.push(Field::default());
    }

    fn add_entrant(&mut self, mut columns: Columns<'_>, link: usize) -> Result<(), JournalError> {
        let [stage, place, bot]: [usize; 3] = [columns.whole()?, columns.whole()?, columns.whole()?];
        let label: Label = columns.text()?.into();
        let is_begun = self.games.last().is_some_and(|game| game.stage >= stage);
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
        let beacon = if columns.is_null()? { None } else { Some(columns.text()?) };
        let beacon = beacon.map(|text| (Beacon::new(text), text));
        let is_begun = self.games.last().is_some_and(|game| game.stage >= stage);
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

    /// Adds a time of a journal that was begun before format 1.9.
    fn add_moment(&mut self, mut columns: Columns<'_>) -> Result<(), JournalError> {
        let (stage, game): (usize, u64) = (columns.whole()?, columns.whole()?);
        let at = columns.text()?;
        if stage != self.stages.len() || game != self.games.len() as u64 + 1 {
            return Err(columns.wrong("it is not of the latest stage and the next game"));
        }
        if moment::parsed(at).is_none() {
            return Err(columns.wrong("it is no time in UTC, as in 2026-01-31T12:00:00Z"));
        }
        self.moments.push(Moment { stage, game, at: at.to_owned() });
        Ok(())
    }

    /// Adds the only stage of a journal without stages, in which all bots play.
    pub(crate) fn add_only_stage(&mut self, settings: String) -> Result<(), JournalError> {
        let wrong = |cause: &str| Err(JournalError::damaged("the settings", cause));
        if settings.len() > SETTINGS_BYTES_MAX {
            return wrong("they are too long");
        }
        if self.bots.len() > ENTRANTS_MAX {
            return wrong("they are of more bots than a stage can have");
        }
        self.push_stage(settings, 0);
        let Some((stage, field)) = self.stages.last_mut().zip(self.fields.last_mut()) else { return Ok(()) };
        for (bot, BotId { label, .. }) in self.bots.iter().enumerate() {
            if !field.labels.insert(label.clone()) {
                return Err(JournalError::damaged(format!("bot {bot}"), "another bot has the same label"));
            }
            field.bots.insert(bot);
            stage.entrants.push(Entrant { bot, label: label.clone() });
        }
        Ok(())
    }

    fn set_dictionary(&mut self, mut columns: Columns<'_>) -> Result<(), JournalError> {
        let bytes = columns.bytes()?;
        if bytes.is_empty() || bytes.len() as u64 > TRANSCRIPT_BYTES_MAX {
            return Err(columns.wrong("it is empty, or larger than any transcript"));
        }
        self.dictionary = bytes.to_vec();
        Ok(())
    }

    fn add_game(&mut self, mut columns: Columns<'_>, link: usize) -> Result<(), JournalError> {
        let rules = self.conditions.as_ref().map(|conditions| &conditions.rules);
        let GameRow { stage, setting, result, moves, has_class_twice } = GameRow::of(&mut columns, rules)?;
        let key = setting.key;
        let GameKey { seats, .. } = key;
        // Of its moves, only the number of turns is read: it bounds what else the row may claim.
        let (file, turns_max) = match moves {
            Moves::File(file) if file.size_bytes > TRANSCRIPT_BYTES_MAX => {
                return Err(columns.wrong("its transcript is larger than any"));
            }
            Moves::File(file) => (Some(file), file.size_bytes / LINE_BYTES_MIN),
            Moves::Events(bytes) => {
                let turns = PackedEvents::from_bytes(bytes.to_vec()).turns();
                let turns = turns.map_err(|error| columns.wrong(error))?;
                (None, turns.into())
            }
        };

        let faults = self.faults.saturating_add(fault_count(&result));
        let earliest = self.games.last().map_or(1, |before| before.stage);
        let field = stage.checked_sub(1).and_then(|index| self.fields.get(index));
        let is_closed = self.revealed_seed.is_some();
        let has_draw = stage.checked_sub(1).and_then(|index| self.stages.get(index)?.draw.as_ref()).is_some();
        let cause = if field.is_none() || stage < earliest {
            "its stage is over, or does not exist"
        } else if is_closed && has_draw {
            "the season was closed before it"
        } else if seats[0] == seats[1] {
            "a bot plays against itself"
        } else if !seats.iter().all(|seat| field.is_some_and(|field| field.bots.contains(seat))) {
            "a bot of it is not in its stage"
        } else if key.game.checked_sub(1).map(|before| before / 2) != Some(key.pair) {
            "its pair does not follow from its number among the games of its bots"
        } else if !self.keys.insert((seats, key.game)) {
            "the journal has it already"
        } else if has_class_twice {
            "a class of faults is there twice"
        } else if turns_max > TURNS_MAX {
            "it has more turns than any game"
        } else if !fits(&result, turns_max) {
            "it has more turns or faults than its transcript can have"
        } else if faults > FAULTS_MAX {
            "the games have more faults than a journal can have"
        } else {
            self.faults = faults;
            let number = self.games.len() as u64 + 1;
            self.games.push(StoredGame { number, stage, key, result });
            self.transcripts.push(Kept { link, file });
            return Ok(());
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

    /// The content, with the end of its chain.
    ///
    /// # Errors
    /// A journal without conditions.
    pub(crate) fn into_content(
        self,
        head: Option<ChainHead>,
        (timed, clock): (Vec<Moment>, Option<ChainHead>),
        trail: Trail,
    ) -> Result<Content, JournalError> {
        let Self { conditions, bots, stages, mut moments, games, revealed_seed, .. } = self;
        moments.extend(timed);
        let conditions =
            conditions.ok_or_else(|| JournalError::damaged("the conditions", "there are none"))?;
        let tournament = Tournament { conditions, bots };
        Ok(Content { tournament, stages, moments, clock, games, revealed_seed, trail, head })
    }
}

/// The number of faults of both bots.
fn fault_count(result: &GameResult) -> u64 {
    // The sum of 32-bit numbers for the few existing classes fits.
    result.faults.values().map(|fault| u64::from(fault.count)).sum()
}

/// True if a transcript with this number of turns, or of lines, can have these turns and faults: each of them is a line of it.
fn fits(result: &GameResult, turns_max: u64) -> bool {
    let turns: u64 = result.turns.iter().copied().map(u64::from).sum();
    let is_sound = result
        .faults
        .iter()
        .all(|((seat, _), fault)| fault.count > 0 && fault.first_turn <= result.turns[seat.index()]);
    // Each side may have failed to deploy, too.
    is_sound && turns <= turns_max && fault_count(result) <= turns_max + 2
}
