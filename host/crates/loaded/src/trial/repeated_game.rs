//! A game of a trial, played twice.

use super::plan::{Oddity, Plan};
use super::{FUEL_MAX, ScoresSeen, Trial, sum};
use crate::fault::{Error, FaultKind, GameFault, short};
use crate::game::Game;
use crate::questions::{Live, Step, Turn};
use crate::random_text::random_text;
use crate::state::{Resampled, Seen, State, text_of};
use arena_referee::FaultClass;
use arena_rules::Seat;
use arena_rules::loaded::{Applied, BoardResult, Judge, Reproduction};
use arena_rules::random::{SeededRng, seeded};
use arena_text::Line;
use rand::{Rng, RngExt};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The probability of a random answer or an overrun in a turn of a game that has them, as one in this number. Chosen: a game of ten
/// turns has one or two.
const ODD_TURN_ONE_IN: u32 = 6;

/// The calls after which a trial reports that it is alive. Chosen: some milliseconds of honest computing, and five minutes at worst.
const BEAT_CALLS: u32 = 256;

/// The number of games in which drawings are looked at. Chosen: a drawing takes some ten times as much as all other calls of a turn, and what
/// a game draws in twenty games is nearly all that it draws.
const DRAWN_GAMES: u32 = 20;

/// A picture that is kept, in bytes. Chosen: a screen.
const PICTURE_BYTES_MAX: usize = 8_000;

/// The part of a text that is shown where it differs from another, and the same part before that, in characters. Chosen: two of them and
/// a sentence fit into the text of a fault.
const DIFFERING_CHARS_MAX: usize = 100;
const SAME_CHARS: usize = 40;

/// A trial is stopped from outside.
pub(super) struct Stopped;

/// The end of a game that is played the first or the second time.
pub(super) type PlayedOnce = Result<Result<(), Stopped>, Error>;

/// A game of a trial that is played twice, to compare what the game answers.
pub(super) struct RepeatedGame<'a> {
    game: &'a Game,
    trial: &'a mut Trial,
    go_on: &'a mut dyn FnMut(&Trial) -> bool,
    /// The number of calls since the last report.
    calls: u32,
    turn: u32,
    /// All that the game depends on until now.
    reproduction: Reproduction,
    /// The hashes of everything that the game answered the first time.
    heard: Vec<u64>,
    is_second: bool,
    /// The number of answers of the second time.
    at: usize,
}

impl<'a> RepeatedGame<'a> {
    pub(super) fn new(
        game: &'a Game,
        trial: &'a mut Trial,
        go_on: &'a mut dyn FnMut(&Trial) -> bool,
    ) -> Self {
        Self {
            game,
            trial,
            go_on,
            calls: 0,
            turn: 1,
            reproduction: Reproduction::new(BTreeMap::new(), 0, Seat::First),
            heard: Vec::new(),
            is_second: false,
            at: 0,
        }
    }

    /// The number of the turn that is played, and all that the game depends on, for the report of a fault.
    pub(super) fn place(self) -> (u32, Reproduction) {
        (self.turn, self.reproduction)
    }

    /// True while drawings are looked at.
    fn draws(&self) -> bool {
        self.trial.games < DRAWN_GAMES
    }

    pub(super) fn play_twice(&mut self, mut plan: Plan) -> PlayedOnce {
        self.reproduction = plan.reproduction();
        if let Err(why) = self.game.start(&plan.settings, plan.seed, plan.starter)? {
            if plan.settings == self.game.about().defaults() {
                let what = format!("refuses the defaults of all options: {}", arena_text::line(&why, 200));
                return Err(GameFault::new(FaultKind::Contradiction, "new-initial-state", what).into());
            }
            if plan.settings == plan.usual {
                self.trial.refused_options = Some(Line::new(&why));
                return Ok(Err(Stopped));
            }
            self.trial.refused_settings += 1;
            plan.settings.clone_from(&plan.usual);
            self.reproduction = plan.reproduction();
        }
        let refused = || {
            let what = "refuses options that it has taken before";
            Error::Game(GameFault::new(FaultKind::NotDeterministic, "new-initial-state", what))
        };
        let Plan { settings, seed, starter, .. } = &plan;
        let mut live = Live::new(self.game.start(settings, *seed, *starter)?.map_err(|_| refused())?)?;
        let mut played = self.play(&mut live, &plan)?;
        if played.is_ok() {
            // In the same instance, so that a game with a memory outside of its states is found: nothing else could differ.
            (self.turn, self.reproduction, self.is_second) = (1, plan.reproduction(), true);
            let again = self.game.start_after(live.into_state(), settings, *seed, *starter)?;
            live = Live::new(again.map_err(|_| refused())?)?;
            played = self.play(&mut live, &plan)?;
        }
        let state = live.state();
        self.trial.memory_bytes = self.trial.memory_bytes.max(state.memory_bytes());
        self.trial.add_fuel(state.fuel());
        if let Err(Stopped) = played {
            return Ok(Err(Stopped));
        }
        if self.at < self.heard.len() {
            return Err(self.differs("current-player"));
        }
        let differs = plan.settings.iter().zip(&plan.usual).map(|(value, usual)| value != usual);
        for (count, differs) in self.trial.other_values.iter_mut().zip(differs) {
            *count += u32::from(differs);
        }
        self.trial.other_options += u32::from(plan.settings != plan.usual);
        Ok(Ok(()))
    }

    /// Plays a game to its end once.
    fn play(&mut self, live: &mut Live, plan: &Plan) -> PlayedOnce {
        let mut rng = seeded(plan.seed);
        let mut judge = Judge::new(self.game.about());
        Judge::begin(live.turn().goes_on())?;
        let (winner, scores) = loop {
            if !self.beat() {
                return Ok(Err(Stopped));
            }
            let turn = live.turn().clone();
            self.hear("current-player", &turn)?;
            let state = live.state();
            self.look(state, None)?;
            let player = match turn {
                Turn::Of(player) => player,
                Turn::Over(BoardResult { winner, reason, scores }) => {
                    judge.end(scores)?;
                    let place = self.game.about().endings.iter().position(|it| it.name == reason);
                    self.count(|trial| &mut trial.endings[place.expect("it is one of them")]);
                    break (winner, scores);
                }
            };
            if sum(state.fuel()) > FUEL_MAX {
                let what = format!("and the other functions have used more than {FUEL_MAX} fuel in one game");
                let kind = FaultKind::Failed(FaultClass::OutOfFuel);
                return Err(GameFault::new(kind, "apply-action", what).into());
            }
            self.turn = judge.turns(Seat::First) + judge.turns(Seat::Second) + 1;
            self.look(state, Some(player))?;
            if plan.oddity == Some(Oddity::Resamples) {
                self.resample(state, &mut rng)?;
            }
            if let Some(loser) = self.take_turn(live, &mut judge, player, plan, &mut rng)? {
                let winner = loser.other();
                break (Some(winner), self.game.about().scores.map(|range| range.of_fault(winner)));
            }
        };
        if self.is_second {
            self.trial.turns.push(self.turn);
            self.trial.scores = ScoresSeen::and(self.trial.scores, scores);
            match winner {
                Some(seat) => self.trial.wins[seat.index()] += 1,
                None => self.trial.draws += 1,
            }
        } else if plan.is_first {
            let picture = live.state().picture(None)?;
            self.trial.last_picture = picture.chars().take(PICTURE_BYTES_MAX).collect();
        }
        Ok(Ok(()))
    }

    /// Plays a turn. Returns the player that has lost by an answer or an overrun.
    fn take_turn(
        &mut self,
        live: &mut Live,
        judge: &mut Judge,
        player: Seat,
        plan: &Plan,
        rng: &mut SeededRng,
    ) -> Result<Option<Seat>, Error> {
        let may_be_odd = matches!(plan.oddity, Some(Oddity::Answers | Oddity::Overruns));
        let is_odd = may_be_odd && rng.random_range(0..ODD_TURN_ONE_IN) == 0;
        if is_odd && plan.oddity == Some(Oddity::Overruns) {
            return self.overrun(live, judge, player);
        }
        let legal = self.legal(live)?;
        if is_odd {
            match self.answer(live, judge, player, legal.as_deref(), rng)? {
                Applied::Retry(_) => {}
                Applied::Done(()) => return Ok(None),
                Applied::Lost(_) => return Ok(Some(player)),
            }
        }
        let before = may_be_odd.then(|| snapshot(live.state())).transpose()?;
        let action = live.random_action(rng.next_u64())?;
        self.hear("random-action", &action)?;
        if before.is_some_and(|before| snapshot(live.state()).is_ok_and(|now| now != before)) {
            return Err(GameFault::new(FaultKind::Contradiction, "random-action", "changes the state").into());
        }
        let action = match &legal {
            Some(legal) if !legal.contains(&action) => {
                let what = format!("returns {}, which `legal-actions` does not list", short(&action));
                return Err(GameFault::new(FaultKind::Contradiction, "random-action", what).into());
            }
            // Half of the time any legal action, so that each one in the list is tried.
            Some(legal) if rng.random() => legal[rng.random_range(0..legal.len())].clone(),
            _ => action,
        };
        self.reproduction.act(&action);
        if judge.objection(player, &action).is_some() {
            self.count(|trial| &mut trial.lost);
            return Ok(Some(player));
        }
        match self.apply(live, judge, player, &action)? {
            Applied::Done(()) => Ok(None),
            Applied::Retry(why) | Applied::Lost(why) => {
                let function = if legal.is_some() { "legal-actions" } else { "random-action" };
                Err(GameFault::refused_as_legal(function, &action, &why).into())
            }
        }
    }

    /// The legal actions, if the game lists them.
    fn legal(&mut self, live: &mut Live) -> Result<Option<Vec<String>>, Error> {
        let Some(actions) = live.legal_actions()? else { return Ok(None) };
        self.hear("legal-actions", &actions)?;
        if actions.is_empty() {
            let what = "lists nothing, and the game has not ended";
            return Err(GameFault::new(FaultKind::Contradiction, "legal-actions", what).into());
        }
        Ok(Some(actions))
    }

    /// Applies an action of a player, as in a match.
    fn apply(
        &mut self,
        live: &mut Live,
        judge: &mut Judge,
        player: Seat,
        action: &str,
    ) -> Result<Applied<()>, Error> {
        if let Some(why) = judge.objection(player, action) {
            return Ok(Applied::Lost(why));
        }
        let stepped = live.step(&Step::Action(action.to_owned()))?;
        self.hear("apply-action", &stepped)?;
        Ok(match stepped {
            Applied::Done((effect, turn)) => {
                judge.act(player, action, &effect, turn.goes_on())?;
                Applied::Done(())
            }
            Applied::Retry(why) => {
                judge.refuse(player, action, &why)?;
                Applied::Retry(why)
            }
            Applied::Lost(why) => Applied::Lost(why),
        })
    }

    /// Gives a random value as the answer of a bot.
    fn answer(
        &mut self,
        live: &mut Live,
        judge: &mut Judge,
        player: Seat,
        legal: Option<&[String]>,
        rng: &mut SeededRng,
    ) -> Result<Applied<()>, Error> {
        let answer = random_text(&self.game.bot_types().action, rng);
        // A text that cannot be read would be a mistake here, and the game is not at fault.
        let value = match live.state().parse_action(&answer) {
            Ok(value) => value,
            Err(why) => return Ok(Applied::Retry(why)),
        };
        let answer = text_of("bot", &value)?;
        let before = snapshot(live.state())?;
        let earlier = self.reproduction.clone();
        self.reproduction.act(&answer);
        let applied = self.apply(live, judge, player, &answer)?;
        match &applied {
            Applied::Done(()) => {
                if legal.is_some_and(|legal| !legal.contains(&answer)) {
                    let what = format!("takes {}, which `legal-actions` does not list", short(&answer));
                    return Err(GameFault::new(FaultKind::Contradiction, "apply-action", what).into());
                }
                self.count(|trial| &mut trial.odd_actions);
            }
            Applied::Retry(_) => {
                self.count(|trial| &mut trial.retries);
                if snapshot(live.state())? != before {
                    let what = format!("answers {} with `retry`, and has changed the state", short(&answer));
                    return Err(GameFault::new(FaultKind::Contradiction, "apply-action", what).into());
                }
                // It was no turn.
                self.reproduction = earlier;
            }
            Applied::Lost(_) => self.count(|trial| &mut trial.lost),
        }
        Ok(applied)
    }

    /// Has the player overrun its budget.
    fn overrun(&mut self, live: &mut Live, judge: &mut Judge, player: Seat) -> Result<Option<Seat>, Error> {
        self.reproduction.overrun();
        let stepped = live.step(&Step::Overrun)?;
        self.hear("overrun", &stepped)?;
        if let Applied::Done((_, turn)) = stepped {
            judge.turn(player, turn.goes_on())?;
            self.count(|trial| &mut trial.overrun_turns);
            return Ok(None);
        }
        self.count(|trial| &mut trial.overrun_games);
        Ok(Some(player))
    }

    /// Compares what each player sees with a state that differs only in what is hidden from that player.
    fn resample(&mut self, state: &mut State, rng: &mut SeededRng) -> Result<(), Error> {
        for viewer in Seat::BOTH {
            let Some(redrawn) = state.resampled(viewer, rng.next_u64(), self.draws())? else { return Ok(()) };
            let Resampled { seen, other, observer, drawing, player } = redrawn;
            self.count(|trial| &mut trial.resampled);
            let expected = state.seen(viewer)?;
            let drawn = if self.draws() { state.drawing(Some(viewer))? } else { None };
            if other != state.seen(viewer.other())? || observer != state.picture(None)? {
                self.count(|trial| &mut trial.resampled_otherwise);
            }
            let now = state.current_player()?;
            let name =
                |player: Option<Seat>| player.map_or("none".to_owned(), |seat| u8::from(seat).to_string());
            let (call, before, after) = match () {
                () if seen.observation != expected.observation => {
                    ("observe", expected.observation, seen.observation)
                }
                () if seen.picture != expected.picture => ("picture", expected.picture, seen.picture),
                () if drawing != drawn => {
                    ("picture-svg", drawn.unwrap_or_default(), drawing.unwrap_or_default())
                }
                () if player != now => ("current-player", name(now), name(player)),
                () => continue,
            };
            let [before, after] = differing(&before, &after);
            let what = format!(
                "differs for player {} after everything that is hidden from that player was drawn again: {before}, then {after}",
                u8::from(viewer)
            );
            return Err(GameFault::new(FaultKind::GivesAway, call, what).into());
        }
        Ok(())
    }

    /// Takes what a player, or an observer, sees.
    fn look(&mut self, state: &mut State, viewer: Option<Seat>) -> Result<(), Error> {
        let picture = match viewer {
            None => state.picture(None)?,
            Some(viewer) => {
                let Seen { observation, picture } = state.seen(viewer)?;
                self.trial.observation_bytes = self.trial.observation_bytes.max(observation.len());
                self.hear("observe", &observation)?;
                picture
            }
        };
        if self.draws()
            && let Some(drawing) = state.drawing(viewer)?
        {
            self.hear("picture-svg", &drawing)?;
        }
        let width = picture.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        let [lines, most] = self.trial.picture;
        self.trial.picture = [lines.max(picture.lines().count()), most.max(width)];
        self.hear("picture", &picture)
    }

    /// Notes an answer the first time, or compares it the second time.
    fn hear(&mut self, call: &'static str, answer: &impl Hash) -> Result<(), Error> {
        self.calls += 1;
        let mut hasher = DefaultHasher::new();
        (call, answer).hash(&mut hasher);
        let hash = hasher.finish();
        if !self.is_second {
            self.heard.push(hash);
            return Ok(());
        }
        self.at += 1;
        if self.heard.get(self.at - 1) != Some(&hash) {
            return Err(self.differs(call));
        }
        Ok(())
    }

    fn differs(&self, call: &str) -> Error {
        let what = "differs when the game is played again with the same options, seed and actions; take all chance from the seed";
        GameFault::new(FaultKind::NotDeterministic, call, what).into()
    }

    /// Counts something once for both times.
    fn count(&mut self, of: impl Fn(&mut Trial) -> &mut u32) {
        if self.is_second {
            *of(self.trial) += 1;
        }
    }

    /// Reports that the trial is alive; false when it is to end.
    fn beat(&mut self) -> bool {
        if self.calls < BEAT_CALLS {
            return true;
        }
        self.calls = 0;
        (self.go_on)(self.trial)
    }
}

/// All that can be seen of a state.
fn snapshot(state: &mut State) -> Result<(Vec<Seen>, String), Error> {
    let seen = Seat::BOTH.into_iter().map(|viewer| state.seen(viewer)).collect::<Result<_, _>>()?;
    Ok((seen, state.picture(None)?))
}

/// The parts of two texts where they differ first, each in quotes, with some of what is the same before them.
fn differing(one: &str, other: &str) -> [String; 2] {
    let same = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let from = same.saturating_sub(SAME_CHARS);
    [one, other].map(|text| {
        let part: String = text.chars().skip(from).take(DIFFERING_CHARS_MAX).collect();
        let cut = |is_cut: bool| if is_cut { "…" } else { "" };
        let after = cut(text.chars().nth(from + DIFFERING_CHARS_MAX).is_some());
        format!("`{}{}{after}`", cut(from > 0), arena_text::line(&part, DIFFERING_CHARS_MAX))
    })
}
