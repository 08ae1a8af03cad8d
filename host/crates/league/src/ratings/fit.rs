//! The maximum of the penalised likelihood, by Newton's method.

use super::graph::Graph;
use super::matrix::Matrix;
use super::tally::{Encounter, Kind, Tally};
use crate::estimate::scale::{ln_logistic, logistic};

/// Virtual draws per contestant, shared out over its opponents. Chosen: for two contestants this makes one draw, the
/// Jeffreys prior.
pub(super) const VIRTUAL_DRAWS: f64 = 0.5;

/// Virtual draws between equals, one of whom has seat 1, for the case that a seat won or lost every game. Chosen as
/// above.
const VIRTUAL_SEAT_DRAWS: f64 = 1.0;

/// The step at which Newton's method has converged, in log odds. Chosen: less than a millionth of an Elo; convergence
/// is quadratic, so the next step would be below the precision of an `f64`.
const STEP_MIN: f64 = 1e-9;

/// The step that is taken without checking the likelihood, in log odds. Chosen: Newton's method cannot overshoot with
/// so small a step, and its gain is below the precision of the likelihood.
const STEP_SURE: f64 = 1e-4;

/// The most steps. Chosen: a likelihood of this kind takes fewer than 20, and steps that overshoot are halved.
const STEPS_MAX: usize = 200;

/// The fitted ratings, in log odds.
#[derive(Debug)]
pub(super) struct Fit<'a> {
    encounters: Vec<&'a Encounter>,
    /// The strengths by contestant, with the mean 0 in each group; then the advantage of seat 1, which is 0 if the
    /// games do not distinguish it from strength.
    pub(super) values: Vec<f64>,
    /// True if the games distinguish the advantage of seat 1 from strength.
    pub(super) tells_seats: bool,
    /// Virtual draws by encounter.
    draws: Vec<f64>,
    /// Virtual draws for the seats.
    seat_draws: f64,
    /// Minus the second derivative of the penalised likelihood by the values, with a constant added between members of
    /// a group. The likelihood does not depend on a group's mean; the constant keeps the mean where it is.
    pub(super) information: Matrix,
}

impl<'a> Fit<'a> {
    pub(super) fn of(tally: &'a Tally, graph: &Graph, virtual_draws: f64) -> Self {
        let contestants = tally.games.len();
        let draws = |encounter: &Encounter| {
            let share = |contestant: usize| encounter.games() / tally.games[contestant] as f64;
            virtual_draws * encounter.contestants.map(share).iter().sum::<f64>()
        };
        let mut fit = Self {
            encounters: tally.encounters().collect(),
            values: vec![0.0; contestants + 1],
            tells_seats: graph.tells_seats,
            draws: tally.encounters().map(draws).collect(),
            seat_draws: if virtual_draws > 0.0 { VIRTUAL_SEAT_DRAWS } else { 0.0 },
            information: Matrix::zero(contestants + 1),
        };
        fit.climb(&graph.groups);
        for group in &graph.groups {
            let mean = group.iter().map(|&member| fit.values[member]).sum::<f64>() / group.len() as f64;
            group.iter().for_each(|&member| fit.values[member] -= mean);
        }
        fit.information = fit.derivatives(&graph.groups).1;
        fit
    }

    /// Newton's method, with each step halved until the likelihood does not decrease.
    fn climb(&mut self, groups: &[Vec<usize>]) {
        let mut likelihood = self.likelihood();
        for _ in 0..STEPS_MAX {
            let (gradient, information) = self.derivatives(groups);
            let mut step = information.inverse().apply(&gradient);
            let from = self.values.clone();
            loop {
                self.values = from.iter().zip(&step).map(|(value, step)| value + step).collect();
                let reached = self.likelihood();
                let length = step.iter().fold(0.0, |longest: f64, step| longest.max(step.abs()));
                if length < STEP_MIN {
                    return;
                }
                if reached >= likelihood || length < STEP_SURE {
                    likelihood = reached;
                    break;
                }
                step.iter_mut().for_each(|step| *step /= 2.0);
            }
        }
    }

    /// The advantage of seat 1.
    pub(super) fn first_seat(&self) -> f64 {
        self.values[self.values.len() - 1]
    }

    /// The probability that the first of two contestants wins a game of this kind.
    fn win(&self, contestants: [usize; 2], kind: Kind) -> f64 {
        logistic(self.log_odds(contestants, kind))
    }

    fn log_odds(&self, contestants: [usize; 2], kind: Kind) -> f64 {
        self.slope(contestants, kind).into_iter().map(|(index, slope)| slope * self.values[index]).sum()
    }

    /// The log odds that the first of two contestants wins, in seat 1 and in seat 2.
    pub(super) fn log_odds_by_seat(&self, [low, high]: [usize; 2]) -> [f64; 2] {
        let ahead = self.values[low] - self.values[high];
        [ahead + self.first_seat(), ahead - self.first_seat()]
    }

    /// The derivative of the log odds by the values.
    fn slope(&self, [low, high]: [usize; 2], kind: Kind) -> [(usize, f64); 3] {
        let seat = if self.tells_seats { kind.seat } else { 0.0 };
        [(low, 1.0), (high, -1.0), (self.values.len() - 1, seat)]
    }

    /// The games of each kind, and the virtual draws, by encounter: the contestants, the kind and the number of games.
    fn terms(&self) -> impl Iterator<Item = ([usize; 2], Kind, f64)> {
        self.encounters.iter().zip(&self.draws).flat_map(|(encounter, &draws)| {
            let games = Kind::all().into_iter().zip(encounter.counts).chain([(Kind::VIRTUAL_DRAW, draws)]);
            games.filter(|&(_, games)| games > 0.0).map(|(kind, games)| (encounter.contestants, kind, games))
        })
    }

    fn likelihood(&self) -> f64 {
        let of = |log_odds: f64, games: f64, score: f64| {
            games * (score * ln_logistic(log_odds) + (1.0 - score) * ln_logistic(-log_odds))
        };
        let games = self
            .terms()
            .map(|(pair, kind, games)| of(self.log_odds(pair, kind), games, kind.score))
            .sum::<f64>();
        games + of(self.first_seat(), self.seat_draws, 0.5)
    }

    /// The gradient of the likelihood, and the information.
    fn derivatives(&self, groups: &[Vec<usize>]) -> (Vec<f64>, Matrix) {
        let seat = self.values.len() - 1;
        let mut gradient = vec![0.0; seat + 1];
        let mut information = Matrix::zero(seat + 1);
        for (contestants, kind, games) in self.terms() {
            let win = self.win(contestants, kind);
            let slope = self.slope(contestants, kind);
            slope.iter().for_each(|&(index, slope)| gradient[index] += games * slope * (kind.score - win));
            information.add_square(&slope, games * win * (1.0 - win));
        }
        for group in groups {
            let group: Vec<_> = group.iter().map(|&member| (member, 1.0)).collect();
            information.add_square(&group, 1.0);
        }
        let win = logistic(self.first_seat());
        gradient[seat] += self.seat_draws * (0.5 - win);
        // An advantage that the games do not determine stays 0, with any positive information.
        let seat_information = if self.tells_seats { self.seat_draws * win * (1.0 - win) } else { 1.0 };
        information.add(seat, seat, seat_information);
        (gradient, information)
    }
}
