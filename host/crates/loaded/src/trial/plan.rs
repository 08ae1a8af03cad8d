//! What is to happen in each game of a trial, by its number.

use super::SEED;
use arena_rules::Seat;
use arena_rules::loaded::{About, Parameter, Reproduction};
use arena_rules::random::{SeededRng, seeded};
use rand::{Rng, RngExt};

/// A plan of a game.
pub(super) struct Plan {
    /// The value of each option.
    pub settings: Vec<(String, i64)>,
    /// The defaults, and the values that were given for the whole trial.
    pub usual: Vec<(String, i64)>,
    pub seed: u64,
    pub starter: Seat,
    pub oddity: Option<Oddity>,
    /// The games in which the same options differ.
    pub group: Group,
    /// True for the first game, whose last picture is kept.
    pub is_first: bool,
}

impl Plan {
    /// All that the game depends on before its first turn.
    pub(super) fn reproduction(&self) -> Reproduction {
        Reproduction::new(self.settings.iter().cloned().collect(), self.seed, self.starter)
    }
}

/// The games of a trial in which the same options differ from the usual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// 0 for those in which none does, then in the order in which they come.
    pub number: usize,
    /// Their share of the fuel of the trial, as one part in this number: half is for the usual options.
    pub share: u64,
}

/// Something that most games do not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Oddity {
    /// Turns overrun their budget.
    Overruns,
    /// Everything hidden is drawn again.
    Resamples,
    /// Players give random answers of the right type.
    Answers,
}

/// The oddities in the order in which games have them.
const ODDITIES: [Option<Oddity>; 4] =
    [None, Some(Oddity::Overruns), Some(Oddity::Resamples), Some(Oddity::Answers)];

/// The plan of the game with this number, from 0. The options that are given have their values in all games.
///
/// Every second game has other values: of one option, of the next one and so on, and then of all together. After all of these comes the next
/// oddity, so that each option meets each oddity.
pub(super) fn plan(about: &About, given: &[(String, i64)], number: u32) -> Plan {
    let mut rng = seeded(SEED.wrapping_add(number.into()));
    let mut usual = about.defaults();
    for (name, value) in &mut usual {
        if let Some((_, it)) = given.iter().find(|(given, _)| given == name) {
            *value = *it;
        }
    }
    let is_free =
        |it: &&Parameter| it.minimum < it.maximum && !given.iter().any(|(name, _)| *name == it.name);
    let free: Vec<&Parameter> = about.parameters.iter().filter(is_free).collect();
    let mut settings = usual.clone();
    let mut group = Group { number: 0, share: 2 };
    let place = if free.is_empty() {
        group.share = 1;
        number
    } else if number.is_multiple_of(2) {
        number / 2
    } else {
        let sets = if free.len() == 1 { 1 } else { free.len() as u32 + 1 };
        let set = (number / 2 % sets) as usize;
        group = Group { number: 1 + set, share: 2 * u64::from(sets) };
        let changed = free.get(set).map_or(&free[..], std::slice::from_ref);
        for parameter in changed {
            if let Some((_, value)) = settings.iter_mut().find(|(name, _)| *name == parameter.name) {
                *value = other_value(parameter, &mut rng);
            }
        }
        number / 2 / sets
    };
    Plan {
        settings,
        usual,
        seed: rng.next_u64(),
        starter: if rng.random() { Seat::First } else { Seat::Second },
        oddity: ODDITIES[place as usize % ODDITIES.len()],
        group,
        is_first: number == 0,
    }
}

/// A value of an option that is not its default: each end of its range with a probability of a quarter, or any.
fn other_value(Parameter { default, minimum, maximum, .. }: &Parameter, rng: &mut SeededRng) -> i64 {
    match rng.random_range(0..4) {
        0 if minimum != default => *minimum,
        1 if maximum != default => *maximum,
        _ => {
            let value = rng.random_range(*minimum..*maximum);
            if value >= *default { value + 1 } else { value }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    fn about(ranges: &[(i64, i64, i64)]) -> About {
        let parameter = |(at, (minimum, default, maximum)): (usize, &(i64, i64, i64))| Parameter {
            name: format!("option-{at}"),
            help: String::new(),
            default: *default,
            minimum: *minimum,
            maximum: *maximum,
        };
        About { parameters: ranges.iter().enumerate().map(parameter).collect(), ..About::default() }
    }

    /// For each set of options that differ, the oddities that it meets in these games.
    fn met(
        about: &About,
        given: &[(String, i64)],
        games: u32,
    ) -> BTreeMap<Vec<usize>, BTreeSet<Option<Oddity>>> {
        let mut met: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for number in 0..games {
            let Plan { settings, usual, oddity, .. } = plan(about, given, number);
            let differs = (0..settings.len()).filter(|at| settings[*at] != usual[*at]).collect();
            met.entry(differs).or_default().insert(oddity);
            for (parameter, (_, value)) in about.parameters.iter().zip(&settings) {
                assert!((parameter.minimum..=parameter.maximum).contains(value), "{parameter:?}: {value}");
            }
        }
        met
    }

    #[test]
    fn each_option_alone_and_all_together_meet_each_oddity_in_a_quick_trial() {
        let three = about(&[(0, 0, 1), (3, 7, 20), (i64::MIN, 0, i64::MAX)]);
        let met = met(&three, &[], 50);
        for differs in [vec![], vec![0], vec![1], vec![2], vec![0, 1, 2]] {
            assert_eq!(met[&differs], BTreeSet::from(ODDITIES), "{differs:?}");
        }
    }

    #[test]
    fn half_of_the_games_have_the_other_value_of_the_only_option_that_can_differ() {
        let two = about(&[(0, 1, 1), (4, 4, 4)]);
        let others = (0..1_000).filter(|number| plan(&two, &[], *number).settings[0].1 == 0).count();
        assert_eq!(others, 500);
        assert_eq!(met(&two, &[], 50).len(), 2);
    }

    #[test]
    fn half_of_the_fuel_is_for_the_usual_options_and_each_set_of_others_has_a_part_of_the_rest() {
        for (ranges, expected) in [
            (&[][..], vec![(0, 1)]),
            (&[(0, 0, 1)], vec![(0, 2), (1, 2)]),
            (&[(0, 0, 1), (3, 7, 20)], vec![(0, 2), (1, 6), (2, 6), (3, 6)]),
        ] {
            let groups = (0..100).map(|number| plan(&about(ranges), &[], number).group);
            let found: BTreeSet<(usize, u64)> = groups.map(|group| (group.number, group.share)).collect();
            assert_eq!(found, BTreeSet::from_iter(expected), "{ranges:?}");
        }
    }

    #[test]
    fn an_option_that_is_given_has_its_value_in_all_games() {
        let two = about(&[(0, 0, 1), (3, 7, 20)]);
        let given = [("option-0".to_owned(), 1)];
        for number in 0..100 {
            assert_eq!(plan(&two, &given, number).settings[0].1, 1, "{number}");
        }
        let sets: Vec<Vec<usize>> = met(&two, &given, 50).into_keys().collect();
        assert_eq!(sets, [vec![], vec![1]]);
    }
}
