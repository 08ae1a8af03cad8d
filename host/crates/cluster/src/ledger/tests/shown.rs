//! What an organiser reads about workers: their state, the lines about them, and the events for the journal.

use super::*;

#[test]
fn workers_of_one_name_are_told_apart_by_a_number_that_fits() {
    let mut setting = Setting::new(None);
    let long = "x".repeat(32);
    for name in ["north", "north", &long, &long] {
        setting.enter(name, 1);
    }
    let status = setting.ledger.status(setting.now);
    let names: Vec<&str> = status.workers.iter().map(|worker| worker.name.as_str()).collect();
    assert_eq!(names, ["north", "north-2", &long, &format!("{}-4", "x".repeat(24))]);
}

#[test]
fn a_worker_is_announced_once_for_all_its_runs() {
    let (mut setting, key) = (Setting::new(None), WorkerKey::fresh().public());
    let mut line = |jobs| setting.ledger.hello(&key, &hello("north", jobs), setting.now).unwrap().1;
    assert_eq!(line(1).as_deref(), Some("worker north joined with 1 job"));
    assert_eq!(line(8), None);
}

#[test]
fn the_state_of_a_worker_has_what_it_holds_has_played_and_has_failed_with() {
    let mut setting = Setting::new(None);
    setting.publish(4, 1);
    let worker = setting.enter("north", 3);
    let batches = [setting.next(&worker), setting.next(&worker)].map(|batch| batch.expect("it has two"));
    setting.now += Duration::from_secs(1);
    setting.send_result(&worker, &batches[0]);
    setting.now += Duration::from_secs(1);
    let reports = vec![(batches[1].games[0].key, GameReport::Failed("no memory".into()))];
    let failed = Outcome::Played { took: Duration::ZERO, games: reports };
    setting.send_outcome(&worker.key, &batches[1], &failed);
    let third = setting.next(&worker).expect("there are more");
    setting.ledger.checked(WorkerId(0), [7, 2]);
    setting.ledger.checked(WorkerId(0), [1, 1]);
    for (seconds, played) in [(1, 10), (1, 30), (2, 70)] {
        setting.now += Duration::from_secs(seconds);
        setting.ledger.heartbeat(worker.session, played, &[third.number], setting.now);
    }
    setting.now += Duration::from_millis(40);
    let status = setting.ledger.status(setting.now);
    let [of] = &status.workers[..] else { panic!("there is one") };
    assert_eq!((of.machine.as_str(), of.arena.as_str(), of.jobs, status.jobs), ("here", "1", 3, 3));
    assert_eq!((of.games, of.failures, of.checks_same, of.checks_others), (2, 1, 8, 3));
    assert_eq!((of.games_in_flight, status.games_in_flight, status.batches_given_out), (1, 1, 3));
    // Averages, in which the latest value has a quarter: of 1,000 and 2,000 ms, and of 0, 20 and 20 games a second.
    assert_eq!((of.turnaround_ms, of.silent_ms), (Some(1_250), Some(40)));
    assert_eq!((of.games_per_second, status.games_per_second), (8.75, 8.75));
    assert_eq!((of.refused.as_ref(), of.owner.to_string()), (None, worker.key.public().to_string()));
}

#[test]
fn the_parts_of_a_worker_that_leaves_are_acknowledged_and_its_batch_is_for_others() {
    let mut setting = Setting::new(None);
    setting.publish(1, 1);
    let [north, south] = ["north", "south"].map(|name| setting.enter(name, 1));
    let batch = setting.next(&north).expect("there is one");
    let (number, secret) = (batch.number, batch.secret);
    let part = PartMessage { contest: "c", batch: number, secret, part: 0, parts: 2, bytes: &[1] };
    let sealed = north.key.seal(RESULT, &postcard::to_allocvec(&part).unwrap());
    assert!(setting.ledger.take("c", &sealed, 7, setting.now).ack.is_empty());
    let FollowUp { ack, notes, has_work } = setting.ledger.leave(north.session);
    assert_eq!((ack, notes, has_work), (vec![7], vec!["worker north has left".into()], true));
    assert_eq!(setting.next(&south).map(|again| again.number), Some(number));
}

#[test]
fn a_result_that_is_too_large_gives_up_the_batch_and_counts_as_a_failure() {
    let mut setting = Setting::new(None);
    setting.publish(1, 1);
    let worker = setting.enter("north", 1);
    let batch = setting.next(&worker).expect("there is one");
    assert_eq!(setting.send_outcome(&worker.key, &batch, &Outcome::TooLarge).ack, [1]);
    let answered = setting.answers.1.try_recv().expect("there is an answer");
    assert!(matches!(answered.answers, Answers::TooLarge(WorkerId(0))));
    assert_eq!(setting.ledger.status(setting.now).workers[0].failures, 1);
    assert!(!setting.ledger.has_work());
}

#[test]
fn of_a_flood_of_invalid_messages_one_is_named_and_all_are_counted() {
    let mut setting = Setting::new(None);
    let mut notes = || setting.ledger.take("c", b"nonsense", 1, setting.now).notes;
    assert_eq!(notes(), ["an invalid message in the stream of results was dropped"]);
    assert!(notes().is_empty());
    assert_eq!(setting.ledger.status(setting.now).messages_dropped, 2);
}

#[test]
fn an_exclusion_is_told_once_and_recorded_with_the_games_that_are_thrown_away() {
    let mut setting = Setting::new(None);
    setting.publish(1, 2);
    let worker = setting.enter("north", 1);
    let batch = setting.next(&worker).expect("there is one");
    setting.send_result(&worker, &batch);
    let follow_up = setting.ledger.exclude(WorkerId(0), "it lied", vec![key_of(8)]);
    assert_eq!((follow_up.ack, follow_up.notes), (vec![1], vec!["worker north is excluded: it lied".into()]));
    assert!(setting.ledger.exclude(WorkerId(0), "it lied again", vec![key_of(9)]).notes.is_empty());
    setting.ledger.dropped(WorkerId(0), Vec::new());
    let event = |event: WorkerEvent| (event.kind, event.why.to_string(), event.games);
    let events: Vec<_> = setting.ledger.take_events().into_iter().map(event).collect();
    assert_eq!(
        events,
        [
            (WorkerEventKind::Excluded, "it lied".to_owned(), vec![key_of(8), key_of(0)]),
            (WorkerEventKind::Dropped, String::new(), vec![key_of(9)]),
        ]
    );
    assert!(setting.ledger.take_events().is_empty());
    let why = Some(Why::from("it lied"));
    assert_eq!(setting.ledger.status(setting.now).workers[0].refused, why);
    assert_eq!(setting.ledger.refusal(&worker.key.public()), why);
}

#[test]
fn a_withdrawn_contest_hands_out_nothing_and_still_takes_results() {
    let mut setting = Setting::new(None);
    setting.publish(2, 1);
    let worker = setting.enter("north", 1);
    let batch = setting.next(&worker).expect("there is one");
    setting.ledger.withdraw();
    assert!(!setting.ledger.has_work() && setting.next(&worker).is_none());
    assert_eq!(setting.send_result(&worker, &batch), 0);
    assert_eq!(setting.answered(), Some(vec![WorkerId(0)]));
}

#[test]
fn a_residual_is_that_of_the_workers_and_is_calculated_once_a_second() {
    let mut setting = Setting::new(None);
    ["north", "south"].into_iter().for_each(|name| _ = setting.enter(name, 1));
    setting.ledger.set_bot_labels(vec!["hunter".into(), "sweeper".into()]);
    let mut pair = 0;
    // A hundred pairs of games, of which the first bot wins this number.
    let mut count = |setting: &mut Setting, worker, won| {
        for place in 0..100 {
            for game in [0, 1] {
                let seats = if game == 0 { [0, 1] } else { [1, 0] };
                let half_points = if (place < won) == (game == 0) { 2 } else { 0 };
                setting.ledger.count(&Key { seats, pair, game }, half_points, &[WorkerId(worker)]);
            }
            pair += 1;
        }
    };
    count(&mut setting, 0, 40);
    count(&mut setting, 1, 60);
    let residual = |setting: &mut Setting| {
        let residual = setting.ledger.status(setting.now).workers[0].residual.clone();
        residual.map(|it| (it.bot.to_string(), (100.0 * it.standard_errors).round()))
    };
    let first = Some(("hunter".to_owned(), -282.0));
    assert_eq!(residual(&mut setting), first);
    count(&mut setting, 1, 100);
    setting.now += Duration::from_millis(999);
    assert_eq!(residual(&mut setting), first);
    setting.now += Duration::from_millis(1);
    assert_ne!(residual(&mut setting), first);
}
