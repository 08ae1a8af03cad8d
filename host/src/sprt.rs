//! `arena sprt`: is a new bot better than an old one?

use crate::admission::{self, Ready};
use crate::cli::{EloModel, Output, SprtArgs};
use crate::console::Console;
use crate::failure::Failure;
use crate::game::Table;
use crate::report::SprtReport;
use crate::tournament::score;
use crate::{told, workers};
use arena_league::{Decision, Fixture, PairTally, Side, Sprt, match_games};
use arena_record::GameResult;
use arena_referee::HostError;
use std::ops::ControlFlow;

/// The contestants: the new bot is named first.
const NEW: usize = 0;
const OLD: usize = 1;

/// Plays pairs of games until the test knows, and reports it.
pub fn sprt(args: &SprtArgs, console: &mut Console) -> Result<(), Failure> {
    let test = test(args)?;
    let paths = [args.new.clone(), args.old.clone()];
    let ready = admission::require(&args.game, &paths, console)?;
    let Ready { plan, contestants, engine, interrupt } = &ready;
    let table = Table { plan, engine, contestants };

    let mut tally = PairTally::default();
    let mut failed = None;
    let mut decision = Decision::Continue;
    let mut faults = [0; 2];
    console.begin_progress(args.max_pairs as usize, "pairs at most");
    workers::in_order(
        plan.jobs,
        args.max_pairs as usize,
        || interrupt.requested(),
        |pair| play_pair(&table, pair),
        |_, pair| match workers::settled(pair) {
            Ok(games) => {
                for (side, result) in &games {
                    let seats = if *side == Side::First { [NEW, OLD] } else { [OLD, NEW] };
                    for (seat, contestant) in arena_rules::Seat::BOTH.into_iter().zip(seats) {
                        faults[contestant] += result.fault_count(seat);
                    }
                }
                tally.add(games.map(|(side, result)| (side, Some(score(result.outcome)))));
                console.advance();
                decision = test.decide(&tally.pairs);
                if decision == Decision::Continue {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            }
            // A pair that is left out because of us could have gone either way: the test would no longer hold.
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        },
    );
    console.end_progress();
    let labels = [NEW, OLD].map(|index| contestants[index].label.as_str());
    let report = SprtReport { labels, test: &test, tally: &tally, decision, faults };
    console.line(&match args.output {
        Output::Table => report.text(),
        Output::Json => report.json(),
    })?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    match decision {
        Decision::AcceptH1 => Ok(()),
        Decision::AcceptH0 => Err(told(Failure::NotBetter)),
        Decision::Continue if interrupt.requested() => {
            Err(Failure::Interrupted("interrupted: the test is not decided".into()))
        }
        Decision::Continue => Err(told(Failure::Undecided)),
    }
}

fn test(args: &SprtArgs) -> Result<Sprt, Failure> {
    let model = match args.model {
        EloModel::Logistic => arena_league::EloModel::Logistic,
        EloModel::Normalized => arena_league::EloModel::Normalized,
    };
    Sprt::new(args.elo0, args.elo1, args.alpha, args.beta, model).map_err(|error| {
        Failure::input(
            format!(
                "--elo0 {}, --elo1 {}, --alpha {} and --beta {} make no test: {error}",
                args.elo0, args.elo1, args.alpha, args.beta
            ),
            "the usual test is --elo0 0 --elo1 10 --alpha 0.05 --beta 0.05",
        )
    })
}

/// A game of a pair: the side of the new bot, and the result.
type SidedResult = (Side, GameResult);

/// Plays both games of a pair, numbered from 0.
fn play_pair(table: &Table<'_>, pair: usize) -> Result<[SidedResult; 2], HostError> {
    let pair = u32::try_from(pair).expect("there are fewer pairs");
    let play = |fixture: Fixture| -> Result<SidedResult, HostError> {
        let played = table.play(Fixture { pair, game: 2 * pair + fixture.game, ..fixture })?;
        let side = if fixture.seats[0] == NEW { Side::First } else { Side::Second };
        Ok((side, GameResult::of(&played.transcript.events)?))
    };
    let mut games = match_games(NEW, OLD, 2);
    let mut next = || play(games.next().expect("a pair has two games"));
    Ok([next()?, next()?])
}
