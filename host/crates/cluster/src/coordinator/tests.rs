//! A coordinator and workers at a real server. The games are bytes of no meaning.

use super::*;
use crate::ledger::{Answers, BatchResult};
use crate::limits::WorkerLimits;
use crate::message::{BotEntry, Game, GameReport, sha256};
use crate::worker::{Batches, Ended, HeldBatch, Introduction, Worker};
use crate::{Owner, RegisteredWorker, WorkerKey};
use arena_testkit::nats::{self, server_or_skip};
use arena_testkit::wait_for;

/// The longest wait for an answer. Chosen: a busy machine takes seconds.
const PATIENCE: Duration = Duration::from_secs(120);

const BOT: &[u8] = b"the bytes of a bot";

fn versions() -> Versions {
    Versions { arena: "1".into(), revision: 2, transcript: "2.1".into(), engine: "aa".into() }
}

fn manifest() -> Manifest {
    let bot = BotEntry { sha256: sha256(BOT).as_str().into(), bytes: BOT.len() as u64 };
    Manifest::new(b"rules", serde_json::Value::Null, 1 << 20, vec![bot])
}

fn at(nats: &nats::Server) -> Server {
    Server::of(&nats.url(), Some("cup")).expect("it is an address")
}

fn begin(nats: &nats::Server, register: Option<Register>) -> Result<Coordinator, ConnectError> {
    Coordinator::start(&at(nats), manifest(), versions(), [7; 32], register, [BOT.to_vec()])
}

fn worker(nats: &nats::Server, name: &str, versions: Versions) -> Worker {
    let mib = |mib: u64| mib << 20;
    let limits = WorkerLimits { bot_memory_bytes: mib(1), memory_bytes: mib(2), component_bytes: mib(1) };
    let of = Introduction { name: name.into(), machine: "here".into(), jobs: 1, versions, limits };
    Worker::connect(&at(nats), WorkerKey::fresh(), of).expect("the server is there")
}

fn join(worker: &Worker) -> Batches<'_> {
    let contest = worker.contest(|| false).expect("it may play").expect("there is one");
    assert_eq!(contest.manifest, manifest());
    let batches = worker.begin(&contest);
    assert!(batches.take(false).is_none(), "it is not ready");
    batches.begin();
    batches
}

/// Publishes a batch of these games.
fn publish(open: &mut OpenBatches<'_>, games: &[u32], is_suspect: bool, tries_alone: u32) {
    let game = |&game: &u32| Game { key: key(game), order: vec![1] };
    let games = games.iter().map(game).collect();
    open.publish(Batch { games, owners: 1, is_suspect, tries_alone });
}

fn key(game: u32) -> Key {
    Key { seats: [0, 1], pair: game / 2, game }
}

/// Reports the games of a batch, the last one first. Each report is as long as the game's number says.
fn play(batch: &HeldBatch) {
    batch.begin();
    for (place, game) in batch.games.iter().enumerate().rev() {
        batch.report(place, GameReport::Played(vec![7; game.key.game as usize]));
    }
}

/// The next result, as the numbers of its games, and its receipt.
fn answer(open: &mut OpenBatches<'_>) -> (Vec<u32>, Receipt) {
    let answered = open.next(PATIENCE).expect("the worker is there").answers;
    let Answers::Played(results) = answered else { panic!("it was given up") };
    let [BatchResult { games, receipt, .. }] = <[_; 1]>::try_from(results).ok().expect("one owner plays");
    for (key, report) in &games {
        assert_eq!(report.bytes(), key.game as usize);
    }
    (games.iter().map(|(key, _)| key.game).collect(), receipt)
}

#[test]
fn a_worker_joins_plays_in_the_order_that_was_asked_for_and_hands_back_what_it_has_not_played() {
    let Some(nats) = server_or_skip(&[]) else { return };
    let coordinator = begin(&nats, None).expect("the server is there");
    assert!(
        matches!(begin(&nats, None), Err(ConnectError::ContestTaken { contest, .. }) if contest == "cup")
    );
    let status = Status::ask(&at(&nats)).expect("there is a coordinator");
    assert_eq!((status.is_connected, status.workers.len()), (true, 0));
    let north = worker(&nats, "north", versions());
    let batches = join(&north);
    let mut open = coordinator.batches();
    // A result of several messages.
    publish(&mut open, &[1, 3_000_000, 2], false, 2);
    play(&batches.take(true).expect("there is one"));
    let (games, receipt) = answer(&mut open);
    assert_eq!((games, open.open(), north.games_played()), (vec![1, 3_000_000, 2], 0, 3));
    assert_eq!(coordinator.notes(), ["worker north joined with 1 job"]);
    let stored = || nats.messages("ARENA_RESULTS_cup").unwrap_or_default();
    assert!(stored() > 1);
    coordinator.hold(1, receipt);
    coordinator.acknowledge_up_to(1);
    assert!(wait_for(|| (stored() == 0).then_some(())).is_some(), "the journal has them");

    publish(&mut open, &[4], false, 2);
    batches.take(true).expect("there is one");
    drop(batches);
    assert_eq!(coordinator.notes(), ["worker north has left"]);
    let south = worker(&nats, "south", versions());
    let batches = join(&south);
    play(&batches.take(true).expect("it was handed back"));
    assert_eq!(answer(&mut open).0, [4]);
    let [north, south] = <[_; 2]>::try_from(coordinator.status().workers).expect("there are two");
    let of = |worker: &crate::WorkerStatus| (worker.name.to_string(), worker.games, worker.jobs);
    assert_eq!([of(&north), of(&south)], [("south".into(), 1, 1), ("north".into(), 3, 0)]);

    coordinator.exclude(WorkerId(1), "it lied", Vec::new());
    let ended = wait_for(|| batches.ended());
    assert_eq!(ended, Some(Ended::Refused("it lied".into())));
    assert!(batches.take(true).is_none());
}

#[test]
fn a_batch_that_may_end_a_worker_is_played_alone_as_often_as_it_may_be() {
    let Some(nats) = server_or_skip(&[]) else { return };
    let coordinator = begin(&nats, None).expect("the server is there");
    // The batches of a thread that has ended are not played.
    publish(&mut coordinator.batches(), &[9], false, 2);
    assert!(!coordinator.shared.ledger().has_work());
    let north = worker(&nats, "north", versions());
    let batches = join(&north);
    let mut open = coordinator.batches();
    publish(&mut open, &[1], true, 0);
    let given_up = open.next(PATIENCE).expect("the worker is there").answers;
    assert!(matches!(given_up, Answers::GivenUp(why) if &*why == "every worker that played it ended"));
    publish(&mut open, &[2], true, 1);
    play(&batches.take(true).expect("it may be played once"));
    assert_eq!(answer(&mut open).0, [2]);
    coordinator.withdraw();
    publish(&mut open, &[3], false, 2);
    assert!(open.next(Duration::from_millis(300)).is_none());
    assert_eq!(open.open(), 1);
}

#[test]
fn results_that_are_not_in_the_journal_are_for_the_next_coordinator_until_the_contest_is_over() {
    let Some(nats) = server_or_skip(&[]) else { return };
    let north = worker(&nats, "north", versions());
    let first = begin(&nats, None).expect("the server is there");
    let batches = join(&north);
    let mut open = first.batches();
    publish(&mut open, &[5, 6], false, 2);
    play(&batches.take(true).expect("there is one"));
    let (_, receipt) = answer(&mut open);
    drop(batches);
    drop(receipt);
    drop(open);
    drop(first);
    let second = begin(&nats, None).expect("the first one has ended");
    let game = second.take_earlier_game(&key(5)).expect("it was played");
    assert_eq!(game.messages, [7; 5]);
    assert!(second.take_earlier_game(&key(7)).is_none());
    second.over();
    drop(second);
    let third = begin(&nats, None).expect("the second one has ended");
    assert!(third.take_earlier_game(&key(6)).is_none());
}

#[test]
fn a_worker_that_may_not_play_learns_why_and_the_organiser_once() {
    let Some(nats) = server_or_skip(&[]) else { return };
    let coordinator = begin(&nats, None).expect("the server is there");
    let old = worker(&nats, "old", Versions { arena: "2".into(), ..versions() });
    let why = "its arena version is 2; the coordinator's is 1";
    for _ in 0..2 {
        assert_eq!(old.contest(|| false).map(|_| ()), Err(why.into()));
    }
    let notes = coordinator.notes();
    assert_eq!(notes.len(), 1);
    assert!(notes[0].starts_with(&format!("worker old is refused: {why} (its key is U")), "{notes:?}");
    let north = worker(&nats, "north", versions());
    let batches = join(&north);
    let other = RegisteredWorker { name: "other".into(), owner: Owner::from("ann"), blocked: None };
    coordinator.set_register([(WorkerKey::fresh().public(), other)].into_iter().collect());
    let why = "the organiser has not admitted its key";
    let ended = wait_for(|| batches.ended());
    assert_eq!(ended, Some(Ended::Refused(why.into())));
    // If it asks once more, there is another note.
    let notes = coordinator.notes();
    let expected =
        ["worker north joined with 1 job".to_owned(), format!("worker north may not play any more: {why}")];
    assert_eq!(notes[..2], expected, "{notes:?}");
}

#[test]
fn a_component_is_sent_whole_or_named_as_missing() {
    let Some(nats) = server_or_skip(&[]) else { return };
    let changed = Coordinator::start(&at(&nats), manifest(), versions(), [7; 32], None, [b"other".to_vec()]);
    assert!(matches!(changed, Err(ConnectError::ComponentChanged)));
    let _coordinator = begin(&nats, None).expect("the server is there");
    let north = worker(&nats, "north", versions());
    let [bot] = <[_; 1]>::try_from(manifest().bots).expect("there is one");
    assert_eq!(north.component(&bot).as_deref(), Ok(BOT));
    for length in [bot.bytes - 1, bot.bytes + 1] {
        let problem = north.component(&BotEntry { bytes: length, ..bot.clone() }).expect_err("it is another");
        assert!(problem.ends_with("the store has a different component under this name"), "{problem}");
    }
    assert!(north.component(&BotEntry { sha256: sha256(b"no").as_str().into(), bytes: 2 }).is_err());
}

#[test]
fn a_run_waits_for_512_batches_at_most_and_in_the_order_of_its_requests() {
    let now = Instant::now();
    let waiting = |session, number: u64| Waiting {
        session: Session(session),
        reply: number.to_string().into(),
        until: now + Duration::from_millis(number),
    };
    let mut list = WaitingList::default();
    (0..513).for_each(|number| list.push(waiting(1, number)));
    list.push(waiting(2, 513));
    assert_eq!(list.queue.len(), 513, "512 of the first run and one of the second");
    assert!(list.pop_if(|first| first.until > now).is_none());
    assert_eq!(list.pop_if(|_| true).expect("there are some").reply.as_str(), "0");
    list.push(waiting(1, 600));
    list.push(waiting(1, 601));
    assert_eq!(list.queue.back().expect("there are some").reply.as_str(), "600", "there was one place");
    list.leave(Session(1));
    assert_eq!(list.queue.iter().map(|it| it.reply.as_str()).collect::<Vec<_>>(), ["513"]);
    list.pop_if(|_| true);
    assert!(list.of_run.is_empty());
}
