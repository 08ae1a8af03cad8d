//! Games that are played with random actions, each in a fresh instance and by the calls of a match: what a game costs without bots.

use crate::fault::{Error, FaultKind, GameFault};
use crate::game::Game;
use crate::questions::{Live, Step, Turn};
use crate::state::CallFuel;
use crate::trial::Progress;
use arena_rules::Seat;
use arena_rules::loaded::{Applied, BoardResult, Judge};
use arena_rules::random::{SeededRng, seeded};
use rand::Rng;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The number of turns after which the process reports that it is alive. Chosen: a call takes a second at most, and a report 20 µs.
const TURNS_OF_A_REPORT: u32 = 50;

/// Games that were played to their end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RandomGames {
    /// The numbers of their turns, of both players together, from the fewest to the most.
    pub turns: Vec<u32>,
    /// The number of games that each seat won. Seat 1 begins.
    pub wins: [u32; 2],
    /// The number of games without a winner.
    pub draws: u32,
    /// The fuel of calls, by the name of the function.
    pub fuel: BTreeMap<String, CallFuel>,
    /// The time that they took, without reports.
    pub time: Duration,
    /// The last one.
    pub last: Option<LastGame>,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastGame {
    /// The number of its turns.
    pub turns: u32,
    /// The winner; `None` in a draw.
    pub winner: Option<Seat>,
    /// The name of the ending.
    pub ending: String,
    /// The last picture, for an observer of both players.
    pub picture: String,
}

/// Plays this number of games with a value for each option, in their order. `go_on` is called after each game and every few turns; the
/// games end early when it returns false, and one that is not over does not count.
pub fn play(
    game: &Game,
    games: u32,
    settings: &[(String, i64)],
    seed: u64,
    go_on: &mut dyn FnMut(Progress) -> bool,
) -> Result<RandomGames, Error> {
    let mut all = RandomGames::default();
    let mut rng = seeded(seed);
    for played in 0..games {
        let (begun, mut reports) = (Instant::now(), Duration::ZERO);
        let report = || {
            let begun = Instant::now();
            let goes_on = go_on(Progress { played, expected: games });
            reports += begun.elapsed();
            goes_on
        };
        let Some((mut live, turns)) = play_one(game, settings, &mut rng, report)? else { break };
        all.time += begun.elapsed().saturating_sub(reports);
        for (name, fuel) in live.state().fuel() {
            all.fuel.entry(name.clone()).or_default().add(fuel);
        }
        all.turns.push(turns);
        let Turn::Over(BoardResult { winner, reason: ending, .. }) = live.turn().clone() else { break };
        match winner {
            Some(seat) => all.wins[seat.index()] += 1,
            None => all.draws += 1,
        }
        if !go_on(Progress { played: played + 1, expected: games }) || played + 1 == games {
            let picture = live.state().picture(None)?;
            all.last = Some(LastGame { turns, winner, ending, picture });
            break;
        }
    }
    all.turns.sort_unstable();
    Ok(all)
}

/// Plays a game to its end, and returns it with the number of its turns; `None` when `go_on`, which is called every few turns, returns false.
fn play_one(
    game: &Game,
    settings: &[(String, i64)],
    rng: &mut SeededRng,
    mut go_on: impl FnMut() -> bool,
) -> Result<Option<(Live, u32)>, Error> {
    let started = game.start(settings, rng.next_u64(), Seat::First)?;
    let refused = |why| {
        let what = format!("refuses the values of its options: {why}");
        GameFault::new(FaultKind::Contradiction, "new-initial-state", what)
    };
    let mut live = Live::new(started.map_err(refused)?)?;
    let mut judge = Judge::new(game.about());
    Judge::begin(live.turn().goes_on())?;
    let mut turns = 0;
    while let Turn::Of(player) = *live.turn() {
        live.state().observation(player)?;
        let action = live.random_action(rng.next_u64())?;
        match live.step(&Step::Action(action.clone()))? {
            Applied::Done((effect, turn)) => judge.act(player, &action, &effect, turn.goes_on())?,
            Applied::Retry(why) | Applied::Lost(why) => {
                return Err(GameFault::refused_as_legal("random-action", &action, &why).into());
            }
        }
        turns += 1;
        if turns % TURNS_OF_A_REPORT == 0 && !go_on() {
            return Ok(None);
        }
    }
    if let Turn::Over(result) = live.turn() {
        judge.end(result.scores)?;
    }
    Ok(Some((live, turns)))
}
