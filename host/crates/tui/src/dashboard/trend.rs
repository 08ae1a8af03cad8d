//! The bots that have just climbed or fallen in the standings.

use super::StandingsLine;
use std::collections::HashMap;
use std::time::Duration;

/// The time for which a change is shown. Chosen: long enough to be seen from afar.
const SHOWN_FOR: Duration = Duration::from_secs(4);

/// The last changes of places.
#[derive(Clone, Debug, Default)]
pub(super) struct Trend {
    places: HashMap<String, usize>,
    /// True for a bot that has climbed, false for one that has fallen, with the time since then.
    changes: HashMap<String, (bool, Duration)>,
}

impl Trend {
    /// Compares the standings with those of the last look.
    pub(super) fn look(&mut self, standings: &[StandingsLine]) {
        let mut places = HashMap::new();
        for (place, StandingsLine { label, .. }) in standings.iter().enumerate() {
            if let Some(&before) = self.places.get(label)
                && before != place
            {
                self.changes.insert(label.clone(), (place < before, Duration::ZERO));
            }
            places.insert(label.clone(), place);
        }
        self.places = places;
    }

    /// Lets time pass. Returns true if a change is not shown any more.
    pub(super) fn tick(&mut self, elapsed: Duration) -> bool {
        let before = self.changes.len();
        self.changes.retain(|_, (_, age)| {
            *age = age.saturating_add(elapsed);
            *age < SHOWN_FOR
        });
        self.changes.len() != before
    }

    /// True for a bot that has just climbed, false for one that has just fallen.
    pub(super) fn of(&self, label: &str) -> Option<bool> {
        self.changes.get(label).map(|(has_climbed, _)| *has_climbed)
    }
}
