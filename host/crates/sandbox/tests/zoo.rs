//! Every specimen of the zoo gets exactly the verdict that is expected of it, the same one each time, and does no harm
//! to a clean bot beside it.

mod common;

use arena_referee::Player;
use arena_rules::Coord;
use arena_sandbox::{Bot, RefusalKind, SandboxedPlayer};
use common::{FUEL, deploy, fault, play, refused, sandbox, specimen, spots};
use std::collections::BTreeSet;

/// The verdict on each specimen; the file says how it is to be read.
const LINES: &str = include_str!("../../../../tests/zoo/lines.txt");

/// What comes of a specimen.
enum Verdict<'a> {
    /// It is refused with this kind, and a message that has this in it.
    Refused(&'a str, &'a str),
    /// It is refused for what it did when it was started or asked for its name.
    Faulted(&'a str, &'a str),
    /// Its deployment is a fault of this class, with this line.
    Deploy(&'a str, &'a str),
    /// It deploys, and its shot of this turn is a fault.
    Play(u32, &'a str, &'a str),
    /// It answers everything; its first shots are these.
    Shoots(Vec<Option<Coord>>),
}

/// The specimens with their verdicts.
fn verdicts() -> Vec<(&'static str, Verdict<'static>)> {
    let lines = LINES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| verdict(line).unwrap_or_else(|| panic!("this is no verdict: {line}"))).collect()
}

fn verdict(line: &'static str) -> Option<(&'static str, Verdict<'static>)> {
    let mut parts = line.splitn(4, " | ");
    let (name, what, which) = (parts.next()?, parts.next()?, parts.next()?);
    let verdict = match (what, parts.next()) {
        ("shoots", None) => Verdict::Shoots(which.split(' ').map(shot).collect::<Option<_>>()?),
        ("refused", Some(part)) => Verdict::Refused(which, part),
        ("faulted", Some(part)) => Verdict::Faulted(which, part),
        ("deploy", Some(line)) => Verdict::Deploy(which, line),
        (play, Some(line)) => Verdict::Play(play.strip_prefix("play ")?.parse().ok()?, which, line),
        _ => return None,
    };
    Some((name, verdict))
}

fn shot(text: &str) -> Option<Option<Coord>> {
    if text == "-" {
        return Some(None);
    }
    let (row, column) = text.split_once(',')?;
    Some(Some(Coord::new(row.parse().ok()?, column.parse().ok()?)))
}

#[test]
fn every_specimen_gets_its_verdict_and_does_no_harm() {
    let clean = specimen("sweeper");
    let before = spots(&clean, 1, 10);
    for (name, verdict) in verdicts() {
        // Shown when one of the checks fails.
        println!("{name}");
        check(name, &verdict);
        assert_eq!(spots(&clean, 1, 10), before, "after {name}");
    }
}

#[test]
fn every_specimen_of_the_zoo_has_one_verdict() {
    let verdicts = verdicts();
    let known: BTreeSet<String> = verdicts.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(known.len(), verdicts.len());
    assert_eq!(known, arena_testkit::zoo_names().into_iter().collect());
}

fn check(name: &str, verdict: &Verdict<'_>) {
    match verdict {
        Verdict::Refused(kind, part) => check_refusal(name, kind, part),
        Verdict::Faulted(class, part) => {
            check_refusal(name, RefusalKind::Faulted.name(), part);
            assert_eq!(refused(name).fault.map(|fault| fault.class.name()), Some(*class), "{name}");
        }
        Verdict::Deploy(class, line) => {
            let bot = specimen(name);
            for _ in 0..2 {
                let (found, detail) = fault(deploy(&mut bot.player(1), FUEL));
                assert_eq!((found.name(), detail.as_str()), (*class, *line), "{name}");
            }
        }
        Verdict::Play(turn, class, line) => {
            let mut player = deployed(name, &specimen(name));
            check_play(name, &mut player, *turn, class, line);
            // The fault holds for a fresh instance just as well.
            player.restart().expect("it can begin again");
            check_play(name, &mut player, *turn, class, line);
        }
        Verdict::Shoots(expected) => check_shots(name, &specimen(name), expected),
    }
}

fn check_refusal(name: &str, kind: &str, part: &str) {
    let refusal = refused(name);
    assert_eq!(refusal.kind.name(), kind, "{name}: {refusal}");
    assert!(refusal.message.contains(part), "{name}: {refusal}");
    assert!(!refusal.next_step.is_empty(), "{name}");
    assert_eq!(refusal, refused(name), "{name}, once more");
}

fn deployed(name: &str, bot: &Bot) -> SandboxedPlayer {
    let mut player = bot.player(1);
    deploy(&mut player, FUEL).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    player
}

fn check_play(name: &str, player: &mut SandboxedPlayer, turn: u32, class: &str, line: &str) {
    for before in 1..turn {
        play(player, before, FUEL).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    }
    let (found, detail) = fault(play(player, turn, FUEL));
    assert_eq!((found.name(), detail.as_str()), (class, line), "{name}");
}

fn check_shots(name: &str, bot: &Bot, expected: &[Option<Coord>]) {
    let mut player = deployed(name, bot);
    for (turn, expected) in (1..).zip(expected) {
        let reply = play(&mut player, turn, FUEL).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        assert_eq!(reply.answer, *expected, "{name}, turn {turn}");
    }
    assert!(player.log().len() < sandbox().limits().log_bytes_max + 100, "{name}");
}
