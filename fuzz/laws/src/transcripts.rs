//! Transcripts: from any bytes, and of games between players that do anything.

use crate::drawing::Drawing;
use crate::model::{Drawn, Step};
use arena_connect_four::ConnectFour;
use arena_record::{
    BotId, Conditions, Event, FORMAT, GameResult, Header, Limits, PackedEvents, ReadError, Recording, Seated,
    Transcript,
};
use arena_referee::{Fault, FaultClass, GamePlan, NoReply, Player, Reply, play_game};
use arena_rules::battleship::Battleship;
use arena_rules::submarine::Submarine;
use arena_rules::{Game, GameKind, GameRules, Listed, Seat, with_game};
use std::cell::RefCell;

/// Any bytes are a transcript, or are refused with a line. A transcript has one form, and reads back as the same, byte for
/// byte. Without its last byte or its last line it is incomplete. Its events follow from the rules, or one of them is refused,
/// the same one each time. If they follow, each side deploys once if the game has deployments, the sides take turns, the turns are numbered from 1 without
/// gaps, and the end is the recorded one.
pub fn transcripts_survive_any_bytes(data: &[u8]) {
    let lines = data.split_inclusive(|&byte| byte == b'\n').count();
    let refused = |error: ReadError| {
        assert!((1..=lines + 1).contains(&error.line), "line {} of {lines}", error.line);
        assert!(!error.to_string().is_empty());
    };
    let recording = match Recording::read(data) {
        Ok(recording) => recording,
        Err(error) => return refused(error),
    };
    with_game!(recording.header.conditions.rules.kind(), G => match recording.transcript::<G>() {
        Ok(transcript) => {
            assert_eq!(transcript.events.len() + 1, lines, "each line is an event");
            check_form(&transcript);
            let end_of_previous = data[..data.len() - 1].iter().rposition(|&byte| byte == b'\n');
            for length in [data.len() - 1, end_of_previous.map_or(0, |at| at + 1)] {
                assert!(Transcript::<G>::read(&data[..length]).is_err());
            }
            check_replay(&transcript, rules_of(&transcript));
        }
        Err(error) => refused(error),
    });
}

/// Any bytes after a header are the packed events of a game by its rules, or are refused, in the same way each time. The transcript that
/// is made of them follows by the rules, and has these bytes as its only packed form.
pub fn packed_events_survive_any_bytes(data: &[u8]) {
    let end = data.iter().position(|&byte| byte == b'\n').map_or(data.len(), |end| end + 1);
    let (header, bytes) = data.split_at(end);
    let Ok(Recording { header, .. }) = Recording::read(header) else { return };
    let packed = PackedEvents::from_bytes(bytes.to_vec());
    let unpacked = packed.to_transcript(header.clone());
    assert_eq!(unpacked, packed.to_transcript(header.clone()));
    match unpacked {
        Ok(file) => with_game!(header.conditions.rules.kind(), G => {
            let transcript = Transcript::<G>::read(&file[..]).expect("it is a transcript");
            assert!(check_replay(&transcript, rules_of(&transcript)), "{:?}", transcript.replay().err());
            assert_eq!(transcript.header, header);
            assert_eq!(PackedEvents::of(&transcript.events), Some(packed));
        }),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// The recording of a game under any rules between players that do anything reads back as the same, and agrees with the rules.
/// With an effect or a turn number changed, or an event left out, it does not agree with them. Cut off anywhere, it is
/// incomplete.
pub fn recorded_games_replay_as_they_were_played(data: &[u8]) {
    let mut drawing = Drawing::new(data);
    match drawing.one_of(&GameKind::ALL) {
        GameKind::Battleship => check_built_in::<Battleship>(drawing),
        GameKind::Submarine => check_built_in::<Submarine>(drawing),
        GameKind::Loaded => unreachable!("it is not built in"),
    }
}

fn check_built_in<G: Drawn + Listed>(drawing: Drawing<'_>) {
    let Some(transcript) = check_game::<G>(drawing) else { return };
    check_file(&transcript);
}

/// The same for a game that begins without a deployment, that has chance in play, and that the program does not list. Its
/// recording has no deployment.
pub fn games_without_deployments_replay_as_they_were_played(data: &[u8]) {
    let Some(transcript) = check_game::<ConnectFour>(Drawing::new(data)) else { return };
    let placed = |event: &Event<ConnectFour>| event.turn() == Some(0);
    assert!(!transcript.events.iter().any(placed));
}

/// Plays a drawn game and checks its recording; `None` when the bytes have no game.
fn check_game<G: Drawn>(mut drawing: Drawing<'_>) -> Option<Transcript<G>> {
    let (choice, cut) = (drawing.byte(), usize::from(drawing.byte()) << 8 | usize::from(drawing.byte()));
    let engine_places = drawing.number(0..=3) == 3;
    let (mut rules, setups, starter) = G::begin(&mut drawing)?;
    if engine_places {
        G::let_engine_place(&mut rules);
    }
    let drawing = RefCell::new(drawing);
    let mut players =
        setups.each_ref().map(|setup| Wild::<G> { deployment: G::deployment(setup), drawing: &drawing });
    let header = header(G::recorded(&rules), starter);
    let plan = GamePlan {
        rules: &rules,
        fuel_per_turn: header.conditions.limits.fuel_per_turn,
        side_seeds: [1, 2],
        fleet_seed: header.fleet_seed,
        starter,
        score_wall_clock: true,
    };
    let mut events = Vec::new();
    let [first, second] = &mut players;
    let end =
        play_game(&plan, [first, second], &mut |event| events.push(event)).expect("the game has an end");
    let transcript = Transcript { header, events };
    assert_eq!(transcript.end(), Some(end));
    check_recording(&transcript, &rules);
    check_refusals(&transcript, &rules, choice.into());
    let bytes = transcript.to_bytes();
    assert!(Transcript::<G>::read(&bytes[..cut % bytes.len()]).is_err());
    Some(transcript)
}

/// The rules in the header of a transcript.
fn rules_of<G: Listed>(transcript: &Transcript<G>) -> &G::Rules {
    G::rules(&transcript.header.conditions.rules).expect("they are of this game")
}

/// A player that deploys legally, and then does anything.
struct Wild<'d, 'a, G: Game> {
    deployment: G::Deployment,
    drawing: &'d RefCell<Drawing<'a>>,
}

impl<G: Drawn> Player<G> for Wild<'_, '_, G> {
    fn deploy(&mut self, _: &G::Info, _: u64) -> Result<Reply<G::Deployment>, NoReply> {
        let mut drawing = self.drawing.borrow_mut();
        let mut answer = self.deployment.clone();
        match drawing.number(0..=15) {
            15 => return Err(fault(&mut drawing, &[FaultClass::OutOfFuel, FaultClass::Trap])),
            14 => G::spoil(&mut answer),
            _ => {}
        }
        Ok(Reply { answer, fuel_used: drawing.byte().into() })
    }

    fn play(&mut self, info: &G::Info, view: &G::View, _: u64) -> Result<Reply<G::Action>, NoReply> {
        use FaultClass::{BadResult, Disconnected, OutOfFuel, OutOfMemory, Resigned, Trap, WallClock};
        let mut drawing = self.drawing.borrow_mut();
        let step = if drawing.is_over() { Step::Fail } else { G::step(&mut drawing, info, view) };
        match step {
            Step::Act(answer) => Ok(Reply { answer, fuel_used: u64::from(drawing.byte()) * 10 }),
            Step::Overrun => Err(fault(&mut drawing, &[OutOfFuel, OutOfFuel, WallClock])),
            Step::Fail => Err(fault(&mut drawing, &[Trap, OutOfMemory, BadResult, Disconnected, Resigned])),
        }
    }
}

fn fault(drawing: &mut Drawing<'_>, classes: &[FaultClass]) -> NoReply {
    Fault::new(drawing.one_of(classes), "it \"did\" what\nit did").into()
}

/// A header of a game by these rules.
pub(crate) fn header(rules: GameRules, starter: Seat) -> Header {
    let seated = |seed| Seated {
        bot: BotId {
            label: "a-1".into(),
            name: "Ada \u{202e} \"the bot\"".into(),
            sha256: "00".repeat(32).into(),
        },
        seed,
    };
    Header {
        arena_transcript: FORMAT,
        contract: format!("arena:{}@0.1.0", rules.kind()).into(),
        conditions: Conditions {
            arena: "1.0.0".into(),
            wasmtime: "48.0.8".into(),
            engine: "00ff".into(),
            rules,
            limits: Limits { fuel_per_turn: 10_000, memory_bytes: 1 << 26 },
            seed: 7.into(),
        },
        game: 1,
        bots: [seated(u64::MAX), seated(2)],
        fleet_seed: 3,
        starter,
    }
}

/// Checks the recording of a game that was played: it reads back as the same, and the rules agree with it.
fn check_recording<G: Game>(transcript: &Transcript<G>, rules: &G::Rules) {
    check_form(transcript);
    check_packed(transcript, rules);
    let accepted = check_replay(transcript, rules);
    assert!(accepted, "{:?}", transcript.replay_by(rules).err());
}

/// Checks the recording of a game whose rules are in its header.
pub(crate) fn check_listed_recording<G: Listed>(transcript: &Transcript<G>) {
    check_recording(transcript, rules_of(transcript));
    check_file(transcript);
}

/// Checks that packed events become the transcript and its file by the rules in the header.
fn check_file<G: Listed>(transcript: &Transcript<G>) {
    let Some(packed) = PackedEvents::of(&transcript.events) else { return };
    let header = &transcript.header;
    assert_eq!(packed.transcript(header.clone()).as_ref(), Ok(transcript));
    assert_eq!(packed.to_transcript(header.clone()), Ok(transcript.to_bytes()));
}

/// The number of bytes of packed events that are changed, one at a time. Chosen: each game changes others.
const CHANGED: usize = 16;

/// Checks that the events of a game that was refereed, packed, give its very transcript, and that other bytes do not. Games with a client
/// that went away have no packed form.
fn check_packed<G: Game>(transcript: &Transcript<G>, rules: &G::Rules) {
    let Transcript { header, events } = transcript;
    let unpack = |packed: &PackedEvents| packed.unpack::<G>(rules, header.starter, header.fleet_seed);
    let Some(packed) = PackedEvents::of(&transcript.events) else {
        assert!(transcript.events.iter().any(went_away));
        return;
    };
    assert_eq!(unpack(&packed).as_ref(), Ok(events));
    let turns = events.len() - deployments::<G>(transcript, rules) - 1;
    assert_eq!(PackedEvents::turns_of(packed.as_bytes()).map(|turns| turns as usize), Ok(turns));
    for place in (0..packed.as_bytes().len()).step_by(1 + packed.as_bytes().len() / CHANGED) {
        let mut other = packed.as_bytes().to_vec();
        other[place] ^= 1 << (place % 8);
        let other = unpack(&PackedEvents::from_bytes(other));
        assert_ne!(other.as_ref(), Ok(events), "byte {place} changed");
    }
    let longer = PackedEvents::from_bytes([packed.as_bytes(), &[0]].concat());
    assert!(unpack(&longer).is_err());
}

/// Checks that a transcript has one form, and reads back as the same.
fn check_form<G: Game>(transcript: &Transcript<G>) {
    let bytes = transcript.to_bytes();
    let again = Transcript::<G>::read(&bytes[..]).expect("the form of a transcript is a transcript");
    assert_eq!(again, *transcript);
    assert_eq!(again.to_bytes(), bytes);
    let result = GameResult::of(&transcript.events).expect("a transcript has an end");
    assert_eq!(transcript.end(), Some((result.outcome, result.reason)));
}

/// Checks the verdict of a replay. Returns true if it accepts all events.
fn check_replay<G: Game>(transcript: &Transcript<G>, rules: &G::Rules) -> bool {
    match (transcript.replay_by(rules), transcript.replay_by(rules)) {
        (Ok(replay), Ok(_)) => {
            assert_eq!(replay.end(), transcript.end());
            check_order(&transcript.events, deployments(transcript, rules));
            true
        }
        (Err(error), again) => {
            assert!((1..=transcript.events.len()).contains(&error.event) && !error.problem.is_empty());
            assert_eq!(again.err(), Some(error));
            false
        }
        (Ok(_), Err(error)) => panic!("refused at one time only: {error}"),
    }
}

/// The number of deployments of the game.
fn deployments<G: Game>(transcript: &Transcript<G>, rules: &G::Rules) -> usize {
    if G::without_deployment(rules, transcript.header.fleet_seed).is_some() { 0 } else { 2 }
}

/// Checks the order of the events of any game.
fn check_order<G: Game>(events: &[Event<G>], deployments: usize) {
    let [events @ .., Event::Ended { .. }] = events else { panic!("{events:?}") };
    let (placed, turns) = events.split_at(deployments);
    assert!(placed.iter().all(|event| event.turn() == Some(0)));
    assert!(placed.first().is_none_or(|first| first.seat() != placed[1].seat()));
    let mut taken = [0; 2];
    let mut before: Option<Seat> = None;
    for event in turns {
        let (Some(seat), Some(turn)) = (event.seat(), event.turn()) else {
            panic!("{event:?} within a game")
        };
        taken[seat.index()] += 1;
        assert_eq!(turn, taken[seat.index()], "{event:?}");
        let takes_turn_twice = before.replace(seat) == Some(seat);
        assert!(!takes_turn_twice || went_away(event), "the sides take turns");
    }
}

/// Checks that a recording of a game with a wrong effect, a wrong turn number or an event left out is refused.
fn check_refusals<G: Game>(transcript: &Transcript<G>, rules: &G::Rules, choice: usize) {
    let refusal = |events: Vec<Event<G>>| {
        let altered = Transcript { events, ..transcript.clone() };
        altered.replay_by(rules).expect_err("the rules do not agree with it").event
    };
    let mut left_out = transcript.events.clone();
    let removed = choice % (left_out.len() - 1);
    left_out.remove(removed);
    // Without the turn before it, a side that went away did so in that turn.
    if !(removed >= deployments(transcript, rules) && went_away(&left_out[removed])) {
        refusal(left_out);
    }

    let effects: Vec<(usize, &G::Effect)> = transcript.events.iter().enumerate().filter_map(effect).collect();
    let Some(&(at, own)) = effects.get(choice % effects.len().max(1)) else { return };
    let mut renumbered = transcript.events.clone();
    if let Event::Acted { turn, .. } = &mut renumbered[at] {
        *turn += 1;
    }
    assert_eq!(refusal(renumbered), at + 1);
    if let Some((_, other)) = effects.iter().find(|(_, other)| *other != own) {
        let mut altered = transcript.events.clone();
        if let Event::Acted { effect, .. } = &mut altered[at] {
            *effect = (*other).clone();
        }
        assert_eq!(refusal(altered), at + 1);
    }
}

/// True if in this event a client went away after the deployments. It may do so in the other side's turn.
fn went_away<G: Game>(event: &Event<G>) -> bool {
    event.turn() != Some(0)
        && matches!(event, Event::Faulted { fault, .. } if fault.class == FaultClass::Disconnected)
}

fn effect<G: Game>((index, event): (usize, &Event<G>)) -> Option<(usize, &G::Effect)> {
    if let Event::Acted { effect, .. } = event { Some((index, effect)) } else { None }
}
