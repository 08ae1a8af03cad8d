//! Games of bots against the random opponent of a loaded game: what they cost, and how many are played in a second.

use crate::sprt::Pairs;
use arena_engine::{HostError, Sandbox};
use arena_league::Side;
use arena_players::{Contestant, Plan, Runner};
use arena_record::GameResult;
use arena_referee::{Detail, FaultClass};
use arena_rules::{Outcome, Seat};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The games of a bot against an opponent, with each seat in half of them.
#[derive(Clone, Debug, Default)]
pub struct BotGames {
    /// The number of games.
    pub games: u32,
    /// The number of those that it won.
    pub wins: u32,
    /// The number of those without a winner.
    pub draws: u32,
    /// The number of its turns.
    pub turns: u64,
    /// The fuel of its calls that ended well.
    pub fuel: u64,
    /// The number of its faults.
    pub faults: u32,
    /// The first one: its class and line.
    pub first_fault: Option<(FaultClass, Detail)>,
    /// The time that the games took, as many at a time as the plan has jobs.
    pub time: Duration,
}

impl BotGames {
    /// Adds a game in which the bot had this seat.
    fn add(&mut self, seat: Seat, result: &GameResult) {
        self.games += 1;
        self.wins += u32::from(result.outcome == Outcome::Win(seat));
        self.draws += u32::from(!matches!(result.outcome, Outcome::Win(_)));
        self.turns += u64::from(result.turns[seat.index()]);
        self.fuel += result.fuel[seat.index()];
        self.faults += result.fault_count(seat);
        let mut faults = result.faults.iter().filter(|((by, _), _)| *by == seat);
        let first = faults.next().map(|((_, class), fault)| (*class, fault.detail.clone()));
        self.first_fault = self.first_fault.take().or(first);
    }
}

/// Plays this number of pairs of games between a bot and an opponent. `advance` is called after each pair; the games end early when `stop`
/// returns true.
///
/// # Errors
/// The game fails, or a failure of the arena.
pub fn play(
    sandbox: &Sandbox,
    plan: &Plan,
    bot: &Contestant,
    opponent: &Contestant,
    pairs: usize,
    stop: impl Fn() -> bool + Sync,
    mut advance: impl FnMut(),
) -> Result<BotGames, HostError> {
    let contestants = [bot.clone(), opponent.clone()];
    let runner = Runner { plan, contestants: &contestants, keeps_transcripts: false, keeps_journal: false };
    let pairs = Pairs::start(sandbox, runner, pairs)?;
    let (begun, mut all, mut failed) = (Instant::now(), BotGames::default(), None);
    pairs.play(stop, |_, games| match games {
        Ok(games) => {
            for (side, played) in games {
                all.add(if side == Side::First { Seat::First } else { Seat::Second }, &played.result);
            }
            advance();
            ControlFlow::Continue(())
        }
        Err(error) => {
            failed = Some(error);
            ControlFlow::Break(())
        }
    });
    all.time = begun.elapsed();
    failed.map_or(Ok(all), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_record::FaultCount;
    use arena_rules::battleship::FLEET_SUNK;

    #[test]
    fn the_figures_of_a_bot_are_the_sums_of_its_side_and_its_first_fault_stays() {
        let fault =
            |count, line: &str| FaultCount { count, first_turn: 3, detail: line.into(), stack: Vec::new() };
        let result = |outcome, line| GameResult {
            outcome,
            reason: FLEET_SUNK,
            scores: None,
            turns: [17, 30],
            fuel: [500, 9_000],
            faults: [
                ((Seat::First, FaultClass::Trap), fault(2, line)),
                ((Seat::Second, FaultClass::OutOfFuel), fault(1, "of the other one")),
            ]
            .into(),
            reproducible: true,
        };
        let mut games = BotGames::default();
        games.add(Seat::First, &result(Outcome::Win(Seat::First), "first"));
        games.add(Seat::First, &result(Outcome::Win(Seat::Second), "second"));
        games.add(Seat::First, &result(Outcome::Draw, "third"));
        assert_eq!((games.games, games.wins, games.draws), (3, 1, 1));
        assert_eq!((games.turns, games.fuel, games.faults), (51, 1_500, 6));
        assert_eq!(games.first_fault, Some((FaultClass::Trap, "first".into())));
        let mut of_second = BotGames::default();
        of_second.add(Seat::Second, &result(Outcome::Win(Seat::First), "first"));
        assert_eq!((of_second.wins, of_second.turns, of_second.fuel, of_second.faults), (0, 30, 9_000, 1));
    }
}
