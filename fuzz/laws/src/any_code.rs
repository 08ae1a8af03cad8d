//! Bots of any code: not of bytes that are hardly ever a component, but of valid modules that do anything at all.

use crate::loading::{admit, check_line};
use arbitrary::Unstructured;
use arena_record::{Contestant, FORMAT, Header, Limits, Transcript};
use arena_referee::{Event, GamePlan, play_game};
use arena_rules::{GameRules, OnInvalid, OnOverrun, OnSkip, Placing, Ruleset, Seat};
use arena_sandbox::{Bot, RefusalKind};

/// A bot that runs any code in its functions is admitted, or refused for what it did when it was started (or for a block
/// that takes more values than one may). In a game it
/// gets a verdict and the arena no failure, whatever it computes, calls and allocates; its log can be printed; the game is
/// the same when it is played again, in every event, fuel included; and its recording replays.
pub fn any_code_gets_a_verdict_and_the_same_one_twice(data: &[u8]) {
    let mut input = Unstructured::new(data);
    // Which rules, whether the code may trap, and then the code.
    let Ok([forgiving, traps]) = input.arbitrary::<[bool; 2]>() else { return };
    let Some(component) = arena_testkit::drawn_component(&mut input, traps) else { return };
    let bot = match admit(&component) {
        Ok(bot) => bot,
        Err(refusal) => {
            // What is drawn is small, but its types may have more values than a block may take.
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
    let transcript = Transcript { header: header(&rules), events: first.events };
    assert_eq!(transcript.replay(), Ok(&transcript.events[..]));
}

/// Fuel for a turn. Chosen: a thousandth of what `guide` has, so that a loop is over at once.
const FUEL_PER_TURN: u64 = 300_000;

/// More than any log may have. A tab of a bot's is four spaces, a byte that is no text is three, and the last line says
/// what was cut.
const LOG_BYTES_SHOWN_MAX: usize = 4 * (64 << 10) + 100;

/// Rules by which a bot without a fleet of its own gets to play, and by which it may go on after anything that may be
/// forgiven, or after nothing.
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

/// What came of a game.
#[derive(Debug, PartialEq)]
struct Played {
    events: Vec<Event>,
    logs: [String; 2],
    memory_bytes_peaks: [usize; 2],
}

fn play(bot: &Bot, rules: &Ruleset) -> Played {
    let mut players = [bot.player(1), bot.player(2)];
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
        if let Event::Fault { fault, .. } = event {
            check_line(&fault.detail, 240);
        }
    }
    Played {
        events,
        logs: players.each_ref().map(|player| player.log()),
        memory_bytes_peaks: players.each_ref().map(|player| player.memory_bytes_peak()),
    }
}

/// A header by which the events can be replayed; what it says besides does not matter for that.
fn header(rules: &Ruleset) -> Header {
    let bot = |seed| Contestant { label: String::new(), name: String::new(), sha256: String::new(), seed };
    Header {
        arena_transcript: FORMAT,
        arena: String::new(),
        wasmtime: String::new(),
        engine: String::new(),
        contract: String::new(),
        rules: GameRules::Battleship(rules.clone()),
        limits: Limits { fuel_per_turn: FUEL_PER_TURN, memory_bytes: 0 },
        seed: 0,
        game: 1,
        bots: [bot(1), bot(2)],
        fleet_seed: 3,
        starter: Seat::First,
    }
}
