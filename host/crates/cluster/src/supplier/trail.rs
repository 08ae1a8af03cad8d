//! The trail of a contest's workers for the journal: changes of the register during the contest, exclusions by the coordinator, and
//! discarded games.

use crate::keys::PublicKey;
use crate::ledger::{WorkerEvent, WorkerEventKind};
use crate::message::{Name, Why};
use crate::register::{Register, RegisteredWorker};
use arena_store::{GameRange, Trail, TrailEntry, TrailEvent};
use std::collections::BTreeMap;

/// The state of the trail on which later entries depend.
#[derive(Default)]
pub struct WorkersTrail {
    /// The admitted workers, some of which may be blocked.
    admitted: BTreeMap<PublicKey, RegisteredWorker>,
    /// The excluded workers, with their names and the reasons.
    excluded: BTreeMap<PublicKey, (Name, Why)>,
    /// The entries that are not in the journal yet.
    pending: Vec<TrailEntry>,
}

impl WorkersTrail {
    /// Continues an existing trail.
    pub fn after(before: Option<&Trail>) -> Self {
        let mut trail = Self::default();
        for entry in before.iter().flat_map(|before| &before.entries) {
            // An invalid key occurs only in a journal not written by this program.
            let Ok(key) = PublicKey::parse(entry.key.as_str()) else { continue };
            let (name, owner) = (entry.name.clone(), entry.owner.clone());
            match entry.event {
                TrailEvent::Admitted => {
                    trail.admitted.insert(key, RegisteredWorker { name, owner, blocked: None });
                }
                TrailEvent::Removed => _ = trail.admitted.remove(&key),
                TrailEvent::Blocked | TrailEvent::Unblocked => {
                    let is_blocked = entry.event == TrailEvent::Blocked;
                    if let Some(worker) = trail.admitted.get_mut(&key) {
                        worker.blocked = is_blocked.then(|| entry.why.clone());
                    }
                }
                TrailEvent::Excluded => _ = trail.excluded.insert(key, (name, entry.why.clone())),
                TrailEvent::Dropped => {}
            }
        }
        trail
    }

    /// The workers excluded earlier, with the reasons.
    pub fn excluded(&self) -> impl Iterator<Item = (&PublicKey, &Name, &Why)> {
        self.excluded.iter().map(|(key, (name, why))| (key, name, why))
    }

    /// Adds the changes in a register.
    pub fn take_register(&mut self, register: &Register) {
        let now: BTreeMap<PublicKey, RegisteredWorker> = register.workers().collect();
        let before = std::mem::replace(&mut self.admitted, now.clone());
        for (key, worker) in before.iter().filter(|(key, _)| !now.contains_key(key)) {
            self.add(TrailEvent::Removed, key, worker, "".into());
        }
        for (key, worker) in &now {
            let known =
                before.get(key).filter(|known| (&known.name, &known.owner) == (&worker.name, &worker.owner));
            if known.is_none() {
                self.add(TrailEvent::Admitted, key, worker, "".into());
            }
            match (known.and_then(|known| known.blocked.as_ref()), &worker.blocked) {
                (before, Some(why)) if before != Some(why) => {
                    self.add(TrailEvent::Blocked, key, worker, why.clone());
                }
                (Some(_), None) => self.add(TrailEvent::Unblocked, key, worker, "".into()),
                _ => {}
            }
        }
    }

    fn add(&mut self, event: TrailEvent, key: &PublicKey, worker: &RegisteredWorker, why: Why) {
        let RegisteredWorker { name, owner, .. } = worker.clone();
        let key = key.to_string().as_str().into();
        self.pending.push(TrailEntry { at: "".into(), event, key, name, owner, why, games: Vec::new() });
    }

    /// Adds the coordinator's events.
    pub fn add_events(&mut self, events: Vec<WorkerEvent>) {
        for WorkerEvent { kind, key, name, owner, why, games } in events {
            let event = match kind {
                WorkerEventKind::Excluded => TrailEvent::Excluded,
                WorkerEventKind::Dropped => TrailEvent::Dropped,
            };
            let games = games.iter().map(|game| (game.seats.map(|bot| bot as usize), game.game));
            let (key, games) = (key.to_string().as_str().into(), GameRange::of(games));
            self.pending.push(TrailEntry { at: "".into(), event, key, name, owner, why, games });
        }
    }

    /// Takes the entries to be written to the journal.
    pub fn take_pending(&mut self) -> Vec<TrailEntry> {
        std::mem::take(&mut self.pending)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::WorkerKey;

    fn key() -> PublicKey {
        WorkerKey::fresh().public()
    }

    fn worker(name: &str, owner: &str, blocked: Option<&str>) -> RegisteredWorker {
        RegisteredWorker { name: name.into(), owner: owner.into(), blocked: blocked.map(Into::into) }
    }

    /// The entries that a register adds to a trail, as text.
    fn added(trail: &mut WorkersTrail, workers: &[(&PublicKey, RegisteredWorker)]) -> Vec<String> {
        let workers = workers.iter().map(|(key, worker)| ((*key).clone(), worker.clone()));
        trail.take_register(&workers.collect());
        trail
            .take_pending()
            .iter()
            .map(|entry| format!("{} {} {}", entry.name, entry.event.word(), entry.why))
            .collect()
    }

    #[test]
    fn changes_of_a_register_are_entries_and_a_continued_trail_does_not_repeat_them() {
        let (north, south) = (key(), key());
        let mut trail = WorkersTrail::after(None);
        let first = [(&north, worker("north", "alice", None))];
        assert_eq!(added(&mut trail, &first), ["north admitted "]);
        assert!(added(&mut trail, &first).is_empty());
        let blocked =
            [(&north, worker("north", "alice", Some("slow"))), (&south, worker("south", "bob", Some("new")))];
        trail.take_register(&blocked.iter().map(|(key, of)| ((*key).clone(), of.clone())).collect());
        let entries = trail.take_pending();
        let mut texts: Vec<String> =
            entries.iter().map(|entry| format!("{} {}", entry.name, entry.event.word())).collect();
        texts.sort();
        assert_eq!(texts, ["north blocked", "south admitted", "south blocked"]);
        let admitted = TrailEntry { event: TrailEvent::Admitted, ..entries[0].clone() };
        let before: Vec<TrailEntry> = [&north, &south]
            .map(|key| TrailEntry { key: key.to_string().as_str().into(), ..admitted.clone() })
            .into_iter()
            .zip([("north", "alice"), ("south", "bob")])
            .map(|(entry, (name, owner))| TrailEntry {
                name: name.into(),
                owner: owner.into(),
                why: "".into(),
                ..entry
            })
            .chain(entries.iter().filter(|entry| entry.event == TrailEvent::Blocked).cloned())
            .collect();
        let mut next = WorkersTrail::after(Some(&Trail { entries: before, head: None }));
        assert!(added(&mut next, &blocked).is_empty());
        assert_eq!(
            added(&mut next, &[(&north, worker("north", "alice", None))]),
            ["south removed ", "north unblocked "]
        );
    }

    #[test]
    fn an_excluded_worker_is_remembered_with_the_reason() {
        let mut trail = WorkersTrail::after(None);
        let event = WorkerEvent {
            kind: WorkerEventKind::Excluded,
            key: key(),
            name: "north".into(),
            owner: "alice".into(),
            why: "it lied".into(),
            games: Vec::new(),
        };
        trail.add_events(vec![event.clone()]);
        let next = WorkersTrail::after(Some(&Trail { entries: trail.take_pending(), head: None }));
        assert_eq!(next.excluded().collect::<Vec<_>>(), [(&event.key, &event.name, &event.why)]);
    }
}
