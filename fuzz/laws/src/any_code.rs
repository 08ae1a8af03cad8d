//! Bots with any code. They are made of valid modules, because random bytes are hardly ever a component.

use crate::loading::{admit, check_line};
use crate::transcripts::{check_listed_recording, header};
use arbitrary::Unstructured;
use arena_record::Transcript;
use arena_referee::{Event, GamePlan, play_game};
use arena_rules::battleship::{Battleship, OnInvalid, OnOverrun, OnSkip, Placing, Ruleset};
use arena_rules::{GameRules, Seat};
use arena_sandbox::{Bot, RefusalKind, STACK_BYTES, TimeLimits};
use std::time::Duration;

/// A bot that runs any code in its functions is admitted, or refused because it failed when it was started, or because a
/// block takes too many values. In a game it gets a verdict, and the arena does not fail. Its log can be printed. Played again,
/// the game has the same events and the same fuel, and its recording agrees with the rules.
pub fn any_code_gets_a_verdict_and_the_same_one_twice(data: &[u8]) {
    // On a thread with less stack, each call of a bot would start one of its own.
    arena_resources::on_stack("law", STACK_BYTES, || judge(data)).expect("there is room");
}

fn judge(data: &[u8]) {
    let mut input = Unstructured::new(data);
    // The rules, true if the code may trap, and then the code.
    let Ok([forgiving, traps]) = input.arbitrary::<[bool; 2]>() else { return };
    let Some(component) = arena_testkit::drawn_component(&mut input, traps) else { return };
    let bot = match admit(&component) {
        Ok(bot) => bot,
        Err(refusal) => {
            // The drawn code is small, but its types may have more values than a block may take.
            let is_over =
                refusal.kind == RefusalKind::OverLimits && refusal.message.contains("that one block takes");
            assert!(is_over || refusal.kind == RefusalKind::Faulted, "{refusal}");
            return;
        }
    };
    let rules = rules(forgiving);
    let first = play(&bot, &rules);
    assert_eq!(play(&bot, &rules), first);
    for log in &first.logs {
        assert!(log.len() < LOG_BYTES_SHOWN_MAX, "{}", log.len());
        log.lines().filter(|line| !line.is_empty()).for_each(|line| check_line(line, usize::MAX));
    }
    let header = header(GameRules::Battleship(rules), Seat::First);
    check_listed_recording(&Transcript { header, events: first.events });
}

/// The fuel for a turn. Chosen: a thousandth of that of `guide`, so that a loop uses it up at once.
const FUEL_PER_TURN: u64 = 300_000;

/// An upper bound of the size of a log, in bytes: a bot's tab becomes four spaces, a byte that is not text three bytes, and the
/// last line says how much was cut.
const LOG_BYTES_SHOWN_MAX: usize = 4 * (64 << 10) + 100;

/// Rules under which the engine places the fleets, and under which a bot goes on after all faults that rules can forgive, or
/// after none of them.
fn rules(forgiving: bool) -> Ruleset {
    let on_invalid = if forgiving { OnInvalid::Retry } else { OnInvalid::Waste };
    Ruleset {
        name: "any code".into(),
        width: 4,
        height: 3,
        fleet: vec![2, 1],
        placing: if forgiving { Placing::Engine } else { Placing::Bot },
        off_board: on_invalid,
        repeat: on_invalid,
        skip: OnSkip::Skip,
        two_skips_draw: false,
        overrun: if forgiving { OnOverrun::Skip } else { OnOverrun::Lose },
        turns_max: 4,
        ..Ruleset::guide()
    }
}

/// A game that was played.
#[derive(Debug, PartialEq)]
struct Played {
    events: Vec<Event<Battleship>>,
    logs: [String; 2],
    memory_bytes_peaks: [usize; 2],
}

fn play(bot: &Bot, rules: &Ruleset) -> Played {
    // The verdict is the same on a busy machine.
    let an_hour = Duration::from_secs(60 * 60);
    let times = TimeLimits { turn: an_hour, game: an_hour };
    let player = |seed| bot.player::<Battleship>(seed, times);
    let mut players = [1, 2].map(|seed| player(seed).expect("the bot plays Battleship"));
    let plan = GamePlan {
        rules,
        fuel_per_turn: FUEL_PER_TURN,
        side_seeds: [1, 2],
        fleet_seed: 3,
        starter: Seat::First,
        score_wall_clock: false,
    };
    let mut events = Vec::new();
    let [first, second] = &mut players;
    play_game(&plan, [first, second], &mut |event| events.push(event)).expect("the arena does not fail");
    for event in &events {
        if let Event::Faulted { fault, .. } = event {
            check_line(&fault.detail, 240);
        }
    }
    Played {
        events,
        logs: players.each_ref().map(|player| player.log()),
        memory_bytes_peaks: players.each_ref().map(|player| player.memory_bytes_peak()),
    }
}
