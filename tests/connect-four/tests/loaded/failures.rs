//! The failures of code that is loaded at run time, and the limits of its fuel and its texts.

use super::*;

/// Checks that a game has failed for this reason, which comes after the turn, and that its author can repeat it.
#[track_caller]
fn expect_failure(end: Result<End, Stopped>, why: &str) {
    let Err(Stopped::Host(found @ HostError::Game(_))) = end else { panic!("{end:?}") };
    let text = found.to_string();
    assert!(
        text.starts_with("the game itself failed in turn ") && text.ends_with(&format!(": {why}")),
        "{text}"
    );
    let reproduction = found.trouble().reproduction().expect("it is known");
    assert!(reproduction.starts_with("it began with the seed 3, and seat "), "{reproduction}");
}

#[test]
fn a_failure_of_the_machine_is_not_that_of_the_game() {
    let (end, _) = play(&rules(Mistake::Lost(3)), 3);
    let Err(Stopped::Host(found @ HostError::Process(_))) = end else { panic!("{end:?}") };
    assert_eq!(found.to_string(), "its process was killed");

    // A game that was recorded before.
    let (_, events) = play(&rules(Mistake::None), 3);
    for (mistake, why, problem, unpacked) in [
        (
            Mistake::Lost(3),
            Failure::Arena("its process was killed".into()),
            "the game cannot be played here: its process was killed",
            UnpackError::NotPlayed,
        ),
        (
            Mistake::Fails("apply", 3),
            Failure::Game("apply trapped in the code".into()),
            "the game itself failed: apply trapped in the code",
            UnpackError::GameFailed,
        ),
    ] {
        let mut replay = Replay::<Loaded>::new(&rules(mistake), Seat::Second, 3);
        let error = events.iter().try_for_each(|event| replay.step(event)).unwrap_err();
        assert_eq!((error.event, error.problem.as_str(), error.failure), (4, problem, Some(why)));
        let packed = PackedEvents::of(&events).unwrap();
        assert_eq!(packed.unpack::<Loaded>(&rules(mistake), Seat::Second, 3), Err(unpacked));
    }
}

/// A player that plays the first column only, as text of this length, for one unit of fuel.
struct Stubborn(usize);

impl Player<Loaded> for Stubborn {
    fn deploy(&mut self, _: &<Loaded as Game>::Info, _: u64) -> Result<Reply<()>, NoReply> {
        unreachable!("it has no deployment")
    }

    fn play(
        &mut self,
        _: &<Loaded as Game>::Info,
        _: &Observation,
        _: u64,
    ) -> Result<Reply<String>, NoReply> {
        Ok(Reply { answer: long(0, self.0), fuel_used: 1 })
    }
}

#[test]
fn each_byte_of_an_action_that_is_refused_costs_fuel() {
    let rules = rules(Mistake::None);
    let (fuel_per_turn, side_seeds, starter) = (1_000, [1, 2], Seat::First);
    let plan = GamePlan {
        rules: &rules,
        fuel_per_turn,
        side_seeds,
        fleet_seed: 3,
        starter,
        score_wall_clock: false,
    };
    for (bytes, tries) in [(1, 91), (40, 3), (100, 1), (100_000, 1)] {
        let mut events = Vec::new();
        let [mut first, mut second] = [Stubborn(bytes), Stubborn(bytes)];
        let end = play_game(&plan, [&mut first, &mut second], &mut |event| events.push(event));
        assert_eq!(end, Ok((Outcome::Win(Seat::Second), Reason::Forfeit)));
        // Six discs fill the column.
        let Event::Faulted { attempts: Some(attempts), .. } = &events[6] else { panic!("{:?}", events[6]) };
        assert_eq!(attempts.invalid, tries, "{bytes} bytes");
    }
}

#[test]
fn code_that_fails_or_contradicts_itself_ends_the_game_without_a_result() {
    let trapped = |call: &str| format!("{call} trapped in the code");
    let call = |call, after| (Mistake::Fails(call, after), trapped(call), after);
    for (mistake, why, turns) in [
        call("begin", 0),
        call("to-move", 0),
        (Mistake::Fails("to-move", 3), trapped("to-move"), 2),
        call("observe", 0),
        call("observe", 4),
        call("apply", 5),
        call("random-action", 2),
        (
            Mistake::OverAtStart,
            "`new-initial-state` returns a game that is over before its first turn".into(),
            0,
        ),
    ] {
        let (end, events) = play(&rules(mistake), 3);
        expect_failure(end, &why);
        assert_eq!(events.len(), turns as usize, "{mistake:?}");
        assert!(events.iter().all(|event| matches!(event, Event::Acted { .. })), "{mistake:?}: no fault");
    }
    for (mistake, why) in [
        (Mistake::Fails("outcome", 0), trapped("outcome")),
        (Mistake::OtherReason, "it ended for a reason that it does not list: boredom".into()),
    ] {
        let (end, _) = play(&rules(mistake), 3);
        expect_failure(end, &why);
    }
    let (end, events) = play(&Rules::new(about(6), "c4").with_code(Arc::new(Native(Mistake::None))), 3);
    expect_failure(end, ENDLESS);
    assert_eq!(events.len(), 5);
}

/// A column with so many bytes of text.
fn long(column: u8, bytes: usize) -> String {
    format!("{column}{}", " ".repeat(bytes - 1))
}

#[test]
fn a_side_that_says_more_than_a_transcript_has_room_for_loses() {
    let mut game = Loaded::new(&rules(Mistake::None), [3; 2], Seat::First);
    assert_eq!(game.act(Seat::First, &long(3, SIDE_TEXT_BYTES_MAX - 1)), Ruling::Done("0".into()));
    assert_eq!(game.act(Seat::Second, &long(3, SIDE_TEXT_BYTES_MAX)), Ruling::Done("1".into()));
    let mut copy = game.clone();
    for game in [&mut game, &mut copy] {
        assert_eq!(game.act(Seat::First, &"3".into()), Ruling::Done("2".into()), "there is room for a byte");
        let Ruling::Lost(why) = game.act(Seat::Second, &"3".into()) else { panic!("it is too long") };
        assert!(why.contains("have 4194305 bytes of text so far; they can have 4194304"), "{why}");
        assert_eq!(game.end(), Some((Outcome::Win(Seat::First), Reason::Forfeit)));
        assert_eq!(game.failure(), None);
    }
}

#[test]
fn of_the_actions_that_are_refused_in_a_turn_the_first_counts_as_text() {
    let fifth = SIDE_TEXT_BYTES_MAX / 5;
    let mut game = Loaded::new(&rules(Mistake::None), [3; 2], Seat::First);
    let mut act = |seat: Seat, action: String| game.act(seat, &action);
    for turn in 0..6 {
        let seat = if turn % 2 == 0 { Seat::First } else { Seat::Second };
        assert!(matches!(act(seat, "0".into()), Ruling::Done(_)));
    }
    // A transcript has the first one.
    for _ in 0..3 {
        for _ in 0..5 {
            assert!(matches!(act(Seat::First, long(0, fifth)), Ruling::Retry(_)));
        }
        assert!(matches!(act(Seat::First, "1".into()), Ruling::Done(_)));
        assert!(matches!(act(Seat::Second, "2".into()), Ruling::Done(_)));
    }
    assert!(matches!(act(Seat::First, long(0, fifth)), Ruling::Retry(_)));
    assert!(matches!(act(Seat::First, long(0, fifth + 1)), Ruling::Lost(_)));
}

#[test]
fn code_that_says_more_than_a_transcript_has_room_for_fails() {
    let mut game = Loaded::new(&rules(Mistake::Loud), [3; 2], Seat::First);
    for column in [0, 0, 1, 1, 2, 2, 4, 4] {
        let seat = game.to_move().expect("it goes on");
        assert!(matches!(game.act(seat, &column.to_string()), Ruling::Done(_)));
        assert_eq!(game.failure(), None);
    }
    let _ = game.act(Seat::First, &"5".into());
    assert!(failure(&game).contains("have 9437184 bytes as text in this game; they can have 8388608"));
}
