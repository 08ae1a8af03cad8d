//! The zoo in the sandbox: each specimen behaves as its entry in the zoo's table says, every time, and does no harm to a
//! well-behaved bot in the same sandbox.

use crate::common::{FUEL, deploy, fault, play, player, refused, sandbox, specimen, spots};
use arena_referee::{FaultClass, Player};
use arena_rules::battleship::Battleship;
use arena_sandbox::{Bot, RefusalKind, SandboxedPlayer};
use arena_testkit::{Behaviour, Specimen, specimens};

#[test]
#[expect(clippy::disallowed_macros, reason = "a test shows it if it fails")]
fn every_specimen_behaves_as_expected_and_does_no_harm() {
    let sweeper = specimen("sweeper");
    let before = spots(&sweeper, 1, 10);
    for entry in specimens() {
        // Printed only if a check fails.
        println!("{entry:?}");
        check(&entry);
        assert_eq!(spots(&sweeper, 1, 10), before, "the sweeper after {}", entry.name);
    }
}

fn check(entry: &Specimen) {
    let name = entry.name;
    match &entry.behaviour {
        Behaviour::Refused(kind) => check_refusal(entry, kind),
        Behaviour::Faulted(class) => {
            check_refusal(entry, RefusalKind::Faulted.name());
            let found = refused(name).fault.map(|fault| fault.class.name());
            assert_eq!(found, Some(*class), "{name}: found, expected");
        }
        Behaviour::Deploy(class) => {
            let bot = specimen(name);
            for _ in 0..2 {
                check_fault(entry, class, &fault(deploy(&mut player(&bot, 1), FUEL)));
            }
        }
        Behaviour::Play(turn, class) => {
            let mut player = deployed(name, &specimen(name));
            check_play(entry, &mut player, *turn, class);
            // The fault is the same in a fresh instance.
            player.restart().expect("it can be restarted");
            check_play(entry, &mut player, *turn, class);
        }
        Behaviour::Shoots(shots) => check_shots(name, &specimen(name), shots),
    }
}

fn check_refusal(entry: &Specimen, kind: &str) {
    let (name, message) = (entry.name, entry.message);
    let refusal = refused(name);
    assert_eq!(refusal.kind.name(), kind, "{name}: found, expected: {refusal}");
    assert!(refusal.message.contains(message), "{name}: expected `{message}`, found {refusal}");
    assert!(!refusal.next_step.is_empty(), "{name}: {refusal}");
    assert_eq!(refusal, refused(name), "{name}, refused twice");
}

fn deployed(name: &str, bot: &Bot) -> SandboxedPlayer<Battleship> {
    let mut player = player(bot, 1);
    deploy(&mut player, FUEL).unwrap_or_else(|error| panic!("{name}, deployment: {error:?}"));
    player
}

fn check_play(entry: &Specimen, player: &mut SandboxedPlayer<Battleship>, turn: u32, class: &str) {
    for before in 1..turn {
        play(player, before, FUEL).unwrap_or_else(|error| panic!("{}, turn {before}: {error:?}", entry.name));
    }
    check_fault(entry, class, &fault(play(player, turn, FUEL)));
}

fn check_fault(entry: &Specimen, class: &str, (found, detail): &(FaultClass, String)) {
    assert_eq!((found.name(), detail.as_str()), (class, entry.message), "{}: found, expected", entry.name);
}

fn check_shots(name: &str, bot: &Bot, shots: &[Option<(u8, u8)>]) {
    let mut player = deployed(name, bot);
    let found: Vec<Option<(u8, u8)>> = (1..)
        .zip(shots)
        .map(|(turn, _)| {
            play(&mut player, turn, FUEL).unwrap_or_else(|error| panic!("{name}, turn {turn}: {error:?}"))
        })
        .map(|reply| reply.answer.map(|cell| (cell.row, cell.column)))
        .collect();
    assert_eq!(found, shots, "{name}: found, expected");
    assert!(player.log().len() < sandbox().limits().log_bytes_max + 100, "{name}: the log is too long");
}
