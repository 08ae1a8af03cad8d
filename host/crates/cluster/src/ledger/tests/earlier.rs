//! Results that an earlier coordinator of the contest has left, and results that wait for the journal.

use super::*;

impl Setting {
    /// Takes over a result for this batch of an earlier coordinator. Returns true if its message is not needed.
    fn take_over(&mut self, contest: &str, key: &WorkerKey, batch: u64, outcome: &Outcome) -> bool {
        self.tokens += 1;
        let sealed = sealed(key, contest, [batch, 1], outcome);
        !self.ledger.take_over("c", &sealed, self.tokens).is_empty()
    }

    fn has_earlier(&mut self, game: u32) -> bool {
        self.ledger.take_earlier_game(&key_of(game)).is_some()
    }
}

#[test]
fn a_game_that_was_played_for_an_earlier_coordinator_is_taken_once() {
    let (mut setting, key) = (Setting::new(None), WorkerKey::fresh());
    assert!(!setting.take_over("c", &key, 0, &played(&[4, 5])));
    let game = setting.ledger.take_earlier_game(&key_of(4)).expect("it was played");
    assert_eq!(game.messages, [1]);
    assert!(game.receipt.released().is_empty(), "the other game of the message is not in the journal yet");
    assert!(!setting.has_earlier(4));
    let other = setting.ledger.take_earlier_game(&key_of(5)).expect("it was played");
    assert_eq!(other.receipt.released(), [1]);
    assert_eq!(setting.ledger.status(setting.now).workers[0].name.as_str(), "of an earlier run");
}

#[test]
fn results_of_others_that_failed_or_are_nonsense_are_not_taken_over() {
    let (mut setting, key) = (Setting::new(None), WorkerKey::fresh());
    assert!(setting.take_over("another contest", &key, 0, &played(&[1])));
    assert!(setting.take_over("c", &key, 1, &Outcome::TooLarge));
    let failed = vec![(key_of(2), GameReport::Failed("no memory".into()))];
    assert!(setting.take_over("c", &key, 2, &Outcome::Played { took: Duration::ZERO, games: failed }));
    assert_eq!(setting.ledger.take_over("c", b"nonsense", 9), [9]);
    setting.ledger.exclude(WorkerId(0), "it lied", Vec::new());
    assert!(setting.take_over("c", &key, 3, &played(&[3])));
    assert!((0..4).all(|game| !setting.has_earlier(game)));
}

#[test]
fn a_game_of_a_worker_that_was_excluded_later_is_not_used() {
    let (mut setting, key) = (Setting::new(None), WorkerKey::fresh());
    setting.take_over("c", &key, 0, &played(&[4]));
    setting.ledger.exclude(WorkerId(0), "it lied", Vec::new());
    assert!(!setting.has_earlier(4));
}

#[test]
fn parts_without_the_others_are_acknowledged_when_the_take_over_ends() {
    let (mut setting, key) = (Setting::new(None), WorkerKey::fresh());
    let part = PartMessage { contest: "c", batch: 0, secret: 1, part: 0, parts: 2, bytes: &[1] };
    let sealed = key.seal(RESULT, &postcard::to_allocvec(&part).unwrap());
    assert!(setting.ledger.take_over("c", &sealed, 7).is_empty());
    assert_eq!(setting.ledger.end_take_over(), [7]);
}

#[test]
fn results_are_taken_over_up_to_64_mib_and_until_a_thousand_are_forged() {
    let (mut setting, key) = (Setting::new(None), WorkerKey::fresh());
    setting.ledger.earlier_bytes = (64 << 20) - 1;
    assert!(!setting.take_over("c", &key, 0, &played(&[4])));
    assert!(setting.take_over("c", &key, 1, &played(&[5])), "it has no room");
    assert_eq!([4, 5].map(|game| setting.has_earlier(game)), [true, false]);

    setting.ledger.earlier_bytes = 0;
    setting.ledger.forged = 998;
    for (number, is_taken) in [(6_u32, true), (7, false)] {
        let bytes = sealed(&WorkerKey::fresh(), "c", [number.into(), 1], &played(&[1]));
        let stolen = key.public().to_string();
        let forged = postcard::to_allocvec(&Sealed::parse(&bytes).unwrap().under(&stolen)).unwrap();
        assert_eq!(setting.ledger.take_over("c", &forged, 9), [9]);
        assert_eq!(setting.take_over("c", &key, number.into(), &played(&[number])), !is_taken);
        assert_eq!(setting.has_earlier(number), is_taken);
    }
}

#[test]
fn a_result_is_acknowledged_when_the_journal_has_its_last_game() {
    let mut setting = Setting::new(None);
    let receipt = Receipt::new(vec![1, 2]);
    setting.ledger.hold(3, receipt.clone());
    setting.ledger.hold(5, receipt);
    setting.ledger.hold(5, Receipt::new(vec![3]));
    let released = [2, 3, 4, 5, 6].map(|number| setting.ledger.acknowledge_up_to(number));
    assert_eq!(released, [vec![], vec![], vec![], vec![1, 2, 3], vec![]]);
}

#[test]
fn the_results_of_a_batch_that_is_not_wanted_any_more_are_acknowledged() {
    let mut setting = Setting::new(None);
    setting.publish(1, 2);
    let worker = setting.enter("north", 1);
    let batch = setting.next(&worker).expect("there is one");
    setting.send_result(&worker, &batch);
    assert_eq!(setting.ledger.forget(BatchNumber(batch.number)), [1]);
    assert!(setting.ledger.forget(BatchNumber(batch.number)).is_empty());
    assert!(!setting.ledger.has_work());
}
