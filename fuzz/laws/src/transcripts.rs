//! Transcripts from anywhere.

use arena_record::{Event, GameResult, Transcript};
use arena_rules::Seat;

/// Any bytes are a transcript or a complaint with a line. What is read has one form, which reads back as the same, byte
/// for byte; it replays as a game or is told where it is none, the same each time; and one that replays deploys once a
/// side, counts each side's turns from 1 without a gap, and ends where it says.
pub fn transcripts_survive_any_bytes(data: &[u8]) {
    let lines = data.split_inclusive(|&byte| byte == b'\n').count();
    let transcript = match Transcript::read(data) {
        Ok(transcript) => transcript,
        Err(error) => {
            assert!((1..=lines + 1).contains(&error.line), "line {} of {lines}", error.line);
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    assert_eq!(transcript.events.len() + 1, lines, "each line is an event");
    let written = written(&transcript);
    let again = Transcript::read(&written[..]).expect("what is written can be read");
    assert_eq!(again, transcript);
    assert_eq!(self::written(&again), written);

    let end = transcript.end();
    assert!(end.is_some(), "what is read has an end");
    let result = GameResult::of(&transcript.events).expect("what is read has an end");
    assert_eq!(Some((result.outcome, result.reason)), end);
    let replayed = transcript.replay();
    assert_eq!(again.replay(), replayed);
    match replayed {
        Ok(events) => check_game(events),
        Err(error) => {
            assert!((1..=transcript.events.len()).contains(&error.event) && !error.problem.is_empty())
        }
    }
}

fn written(transcript: &Transcript) -> Vec<u8> {
    let mut bytes = Vec::new();
    transcript.write(&mut bytes).expect("memory takes all that is written");
    bytes
}

/// What holds of any game's events, whichever game it is.
fn check_game(events: &[Event]) {
    let (end, rest) = events.split_last().expect("a game has an end");
    assert!(matches!(end, Event::End { .. }));
    let (deployments, turns) = rest.split_at(rest.len().min(2));
    assert_eq!(deployments.len(), 2);
    let is_deployment = |event: &Event| {
        matches!(event, Event::Deployed { .. } | Event::Positioned { .. } | Event::Fault { turn: 0, .. })
    };
    assert!(deployments.iter().all(is_deployment));
    assert_ne!(deployments[0].seat(), deployments[1].seat());

    let mut taken = [0; 2];
    let mut mover: Option<Seat> = None;
    for event in turns {
        let (seat, turn) = match event {
            Event::Shot { seat, turn, .. }
            | Event::Skipped { seat, turn, .. }
            | Event::Wasted { seat, turn, .. }
            | Event::Acted { seat, turn, .. }
            | Event::Fault { seat, turn, .. } => (*seat, *turn),
            Event::Deployed { .. } | Event::Positioned { .. } | Event::End { .. } => {
                panic!("{event:?} in the middle of a game")
            }
        };
        taken[seat.index()] += 1;
        assert_eq!(turn, taken[seat.index()], "{event:?}");
        assert_ne!(mover.replace(seat), Some(seat), "sides take turns");
    }
}
