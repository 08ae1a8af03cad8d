//! Games packed as their events: the law about any of them is in `fuzz/laws`.

use crate::support;
use arena_record::{Event, KeptGame, PackedEvents, Transcript, UnpackError};
use arena_referee::{Fault, FaultClass, Verdict};
use arena_rules::battleship::Battleship;
use arena_rules::{GameKind, Listed, Seat};

/// Checks that a game comes back from its packed events, and that they have at most this number of bytes.
#[track_caller]
fn check<G: Listed>(played: &Transcript<G>, bytes_max: usize) {
    let packed = PackedEvents::of(&played.events).expect("no client went away");
    assert_eq!(packed.to_transcript(played.header.clone()).as_ref(), Ok(&played.to_bytes()));
    let bytes = packed.as_bytes().len();
    assert!(bytes <= bytes_max, "{bytes} bytes for {} events", played.events.len());
}

#[test]
fn a_game_comes_back_from_a_small_part_of_its_bytes() {
    let played = support::battleship();
    assert!(played.to_bytes().len() > 10_000);
    // They shoot row by row and always use the same fuel.
    check(&played, 200);
    check(&support::submarine(), 30);
}

#[test]
fn a_game_without_a_turn_comes_back() {
    let mut played = support::battleship();
    played.events.drain(1..played.events.len() - 1);
    let fault = Fault::new(FaultClass::Trap, "wasm trap: unreachable");
    let verdict = Verdict::NotPlaced;
    played.events.insert(1, Event::Faulted { seat: Seat::Second, turn: 0, fault, verdict, attempts: None });
    let Some(Event::Ended { outcome, reason, scores, .. }) = played.events.last_mut() else { panic!() };
    (*outcome, *reason) = (arena_rules::Outcome::Win(Seat::First), arena_rules::Reason::BadDeploy);
    *scores = Some([400, 0]);
    assert!(played.replay().is_ok());
    check(&played, 100);
}

#[test]
fn packed_events_by_other_rules_or_with_another_starter_are_refused() {
    let played = support::battleship();
    let packed = PackedEvents::of(&played.events).unwrap();
    let mut header = played.header.clone();
    header.starter = Seat::Second;
    assert!(packed.to_transcript(header).is_err());
    let other = support::submarine().header;
    assert_eq!(other.conditions.rules.kind(), GameKind::Submarine);
    assert!(packed.to_transcript(other).is_err());
    let cut = PackedEvents::from_bytes(packed.as_bytes()[..20].to_vec());
    assert_eq!(cut.to_transcript(played.header), Err(UnpackError::CutOff));
}

#[test]
fn bytes_of_another_form_have_the_same_events_and_only_those_who_need_one_form_refuse_them() {
    let played = support::battleship();
    let packed = PackedEvents::of(&played.events).unwrap();
    let longer = PackedEvents::from_bytes([packed.as_bytes(), &[0]].concat());
    let header = || played.header.clone();
    assert_eq!(longer.transcript::<Battleship>(header()), Err(UnpackError::OtherForm));
    assert_eq!(longer.to_transcript(header()), Err(UnpackError::OtherForm));
    assert_eq!(longer.transcript_of_any_form::<Battleship>(header()).as_ref(), Ok(&played));
    let kept = KeptGame { header: header(), events: longer };
    assert_eq!(kept.transcript::<Battleship>().as_ref(), Ok(&played));
}
