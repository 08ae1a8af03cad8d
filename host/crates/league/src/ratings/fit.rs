//! The maximum of the penalised likelihood.

use super::graph;
use super::matrix::Matrix;
use super::tally::{Encounter, Kind, Tally};
use crate::estimate::scale::{ln_logistic, logistic};

/// Virtual draws for each contestant, shared out over its opponents. Chosen: between two contestants they come to one
/// draw, the Jeffreys prior.
pub(super) const VIRTUAL_DRAWS: f64 = 0.5;

/// Virtual draws between equals, one in seat 1: for a seat that won or lost every game. Chosen as one, as above.
const VIRTUAL_SEAT_DRAWS: f64 = 1.0;

/// The step at which Newton's method has arrived, in log odds. Chosen: a ten millionth of an Elo; it converges
/// quadratically, so the next step would be beyond what an `f64` holds.
const STEP_MIN: f64 = 1e-9;

/// The step that is taken without a look at the likelihood, in log odds. Chosen: Newton's method cannot overshoot by
/// so little, and what it gains is lost in the likelihood's last bits.
const STEP_SURE: f64 = 1e-4;

/// The most steps. Chosen: a likelihood of this kind takes fewer than 20, and steps are halved where they overshoot.
const STEPS_MAX: usize = 200;

/// Ratings in log odds.
#[derive(Debug)]
pub(super) struct Fit {
    /// By contestant, with the mean 0 in each group.
    pub(super) strengths: Vec<f64>,
    /// The advantage of seat 1, where games tell it.
    pub(super) first_seat: Option<f64>,
    /// What each two contestants played.
    pub(super) encounters: Vec<Encounter>,
    /// Virtual draws between the two of each encounter.
    pub(super) draws: Vec<f64>,
    /// Virtual draws for the seats.
    pub(super) seat_draws: f64,
    /// Minus the second derivative of the penalised likelihood, with a constant added between members of a group. The
    /// likelihood says nothing of a group's mean; this keeps it where it is. The last row is the seat's.
    pub(super) information: Matrix,
}

impl Fit {
    pub(super) fn of(tally: &Tally, groups: &[Vec<usize>], virtual_draws: f64) -> Self {
        let contestants = tally.games.len();
        let encounters = tally.encounters();
        let share = |games: f64, contestant: usize| games / tally.games[contestant] as f64;
        let draws = encounters
            .iter()
            .map(|Encounter { contestants: [low, high], games, .. }| {
                virtual_draws * (share(*games, *low) + share(*games, *high))
            })
            .collect();
        let tells_seats = graph::tells_seats(contestants, tally);
        let mut fit = Self {
            strengths: vec![0.0; contestants],
            first_seat: tells_seats.then_some(0.0),
            encounters,
            draws,
            seat_draws: if virtual_draws > 0.0 { VIRTUAL_SEAT_DRAWS } else { 0.0 },
            information: Matrix::zero(contestants + 1),
        };
        fit.climb(groups);
        fit.centre(groups);
        fit.information = fit.derivatives(groups).1;
        fit
    }

    /// Newton's method, each step halved until the likelihood does not fall.
    fn climb(&mut self, groups: &[Vec<usize>]) {
        let mut likelihood = self.likelihood();
        for _ in 0..STEPS_MAX {
            let (gradient, information) = self.derivatives(groups);
            let mut step = information.inverse().apply(&gradient);
            let from = (self.strengths.clone(), self.first_seat);
            loop {
                self.strengths = from.0.iter().zip(&step).map(|(strength, step)| strength + step).collect();
                self.first_seat = from.1.map(|advantage| advantage + step[from.0.len()]);
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

    fn centre(&mut self, groups: &[Vec<usize>]) {
        for group in groups {
            let sum: f64 = group.iter().map(|&member| self.strengths[member]).sum();
            group.iter().for_each(|&member| self.strengths[member] -= sum / group.len() as f64);
        }
    }

    /// The log odds that the lower of two contestants wins a game of this kind, or one without seats.
    pub(super) fn log_odds(&self, [low, high]: [usize; 2], kind: Option<Kind>) -> f64 {
        let seat = kind.map_or(0.0, |kind| kind.seat) * self.first_seat.unwrap_or(0.0);
        self.strengths[low] - self.strengths[high] + seat
    }

    /// Each kind of game and the virtual draws of an encounter: how many, their log odds, and their share of points.
    fn terms(&self) -> impl Iterator<Item = (&Encounter, Option<Kind>, f64, f64)> {
        self.encounters.iter().zip(&self.draws).flat_map(|(encounter, &draws)| {
            let games = Tally::kinds().into_iter().zip(encounter.counts);
            games
                .map(move |(kind, games)| (encounter, Some(kind), games, kind.score))
                .chain([(encounter, None, draws, 0.5)])
                .filter(|&(_, _, games, _)| games > 0.0)
        })
    }

    fn likelihood(&self) -> f64 {
        let of = |log_odds: f64, games: f64, score: f64| {
            games * (score * ln_logistic(log_odds) + (1.0 - score) * ln_logistic(-log_odds))
        };
        let games = self.terms().map(|(encounter, kind, games, score)| {
            of(self.log_odds(encounter.contestants, kind), games, score)
        });
        games.sum::<f64>() + of(self.first_seat.unwrap_or(0.0), self.seat_draws, 0.5)
    }

    /// The gradient of the likelihood, and the information.
    fn derivatives(&self, groups: &[Vec<usize>]) -> (Vec<f64>, Matrix) {
        let seat = self.strengths.len();
        let mut gradient = vec![0.0; seat + 1];
        let mut information = self.games_information();
        for (encounter, kind, games, score) in self.terms() {
            let [low, high] = encounter.contestants;
            let win = logistic(self.log_odds(encounter.contestants, kind));
            gradient[low] += games * (score - win);
            gradient[high] -= games * (score - win);
            match kind {
                Some(kind) => gradient[seat] += games * kind.seat * (score - win),
                None => information.add_square(&[(low, 1.0), (high, -1.0)], games * win * (1.0 - win)),
            }
        }
        for group in groups {
            let group: Vec<_> = group.iter().map(|&member| (member, 1.0)).collect();
            information.add_square(&group, 1.0);
        }
        match self.first_seat {
            Some(advantage) => {
                let win = logistic(advantage);
                gradient[seat] += self.seat_draws * (0.5 - win);
                information.add(seat, seat, self.seat_draws * win * (1.0 - win));
            }
            None => {
                gradient[seat] = 0.0;
                information.add(seat, seat, 1.0);
            }
        }
        (gradient, information)
    }

    /// The information of the games alone, as if they were independent.
    pub(super) fn games_information(&self) -> Matrix {
        let mut information = Matrix::zero(self.strengths.len() + 1);
        for (encounter, kind, games, _) in self.terms() {
            if let Some(kind) = kind {
                let win = logistic(self.log_odds(encounter.contestants, Some(kind)));
                information
                    .add_square(&self.slope(encounter.contestants, kind.seat), games * win * (1.0 - win));
            }
        }
        information
    }

    /// How the log odds of a game depend on strengths and the seat's advantage.
    pub(super) fn slope(&self, [low, high]: [usize; 2], seat: f64) -> [(usize, f64); 3] {
        let told = if self.first_seat.is_some() { seat } else { 0.0 };
        [(low, 1.0), (high, -1.0), (self.strengths.len(), told)]
    }
}
