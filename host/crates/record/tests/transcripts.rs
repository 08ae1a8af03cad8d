//! Transcripts written, read and replayed, over games that are played for it.

use arena_record::{Contestant, Event, FORMAT, GameResult, Header, Limits, ReadErrorKind, Transcript};
use arena_referee::{
    Fault, FaultClass, GamePlan, HostError, NoReply, Player, Reply, SubmarineInfo, SubmarinePlan,
    SubmarinePlayer, play_game, play_submarine,
};
use arena_rules::{
    Coord, GameInfo, GameRules, Mark, OnInvalid, OnOverrun, OnSkip, Placement, Placing, Rounds, Ruleset,
    Seat, ShotResult, View, random, scatter, submarine,
};
use proptest::prelude::*;
use rand::{Rng, RngExt};

/// A player that does anything at all, by its seed: mostly it shoots well, now and then it does not.
struct Wild {
    rng: random::SeededRng,
    tameness: u32,
}

impl Wild {
    fn new(seed: u64, tameness: u32) -> Self {
        Self { rng: random::seeded(seed), tameness }
    }

    fn is_tame(&mut self) -> bool {
        self.rng.random_range(0..self.tameness) > 0
    }

    fn fault(&mut self) -> Fault {
        use FaultClass::{OutOfFuel, OutOfMemory, Trap};
        let class = [OutOfFuel, OutOfFuel, OutOfFuel, Trap, OutOfMemory][self.rng.random_range(0..5)];
        Fault::new(class, "it \"did\" what\nit did")
    }
}

impl Player for Wild {
    fn deploy(&mut self, game: &GameInfo, _fuel: u64) -> Result<Reply<Vec<Placement>>, NoReply> {
        let fleet = scatter(&game.fleet_spec(), &mut self.rng).unwrap();
        let mut answer = fleet.placements().to_vec();
        if !self.is_tame() {
            answer.pop();
        }
        if !self.is_tame() {
            return Err(self.fault().into());
        }
        Ok(Reply { answer, fuel_used: self.rng.random_range(0..5_000) })
    }

    fn play(&mut self, game: &GameInfo, view: &View, _fuel: u64) -> Result<Reply<Option<Coord>>, NoReply> {
        let unknown = view.attacks.iter().position(|&mark| mark == Mark::Unknown);
        let mut answer = unknown.map(|cell| game.size.coord(cell));
        if !self.is_tame() {
            answer = Some(Coord::new(self.rng.random_range(0..20), self.rng.random_range(0..20)));
        }
        if !self.is_tame() {
            answer = None;
        }
        if !self.is_tame() && !self.is_tame() {
            return Err(self.fault().into());
        }
        Ok(Reply { answer, fuel_used: self.rng.random_range(0..5_000) })
    }

    fn restart(&mut self) -> Result<(), HostError> {
        self.rng.next_u32();
        Ok(())
    }
}

fn any_rules() -> impl Strategy<Value = Ruleset> {
    use OnInvalid::{Lose, Retry, Waste};
    let on_invalid = || prop::sample::select(vec![Retry, Waste, Lose]);
    let switches = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    (on_invalid(), on_invalid(), switches, 1u32..120).prop_map(|(off_board, repeat, switches, turns_max)| {
        let (skips_lose, overruns_lose, both_shots, engine, two_skips_draw, sinkings_announced) = switches;
        Ruleset {
            fleet: vec![4, 3, 2, 1],
            off_board,
            repeat,
            skip: if skips_lose { OnSkip::Lose } else { OnSkip::Skip },
            overrun: if overruns_lose { OnOverrun::Lose } else { OnOverrun::Skip },
            rounds: if both_shots { Rounds::BothShots } else { Rounds::EachShot },
            placing: if engine { Placing::Engine } else { Placing::Bot },
            two_skips_draw,
            sinkings_announced,
            turns_max,
            ..Ruleset::guide()
        }
    })
}

/// A header of a game by these rules.
fn header(rules: GameRules, seed: u64) -> Header {
    let bot = |label: &str, seed| Contestant {
        label: label.into(),
        name: "Ada \u{202e} \"the bot\"".into(),
        sha256: "00".repeat(32),
        seed,
    };
    Header {
        arena_transcript: FORMAT,
        arena: "0.1.0".into(),
        wasmtime: "48.0.8".into(),
        engine: "00ff".into(),
        contract: "arena:battleship@0.1.0".into(),
        rules,
        limits: Limits { fuel_per_turn: 1_000_000, memory_bytes: 1 << 26 },
        seed,
        game: 1,
        bots: [bot("a", u64::MAX), bot("b", seed)],
        fleet_seed: seed,
        starter: if seed.is_multiple_of(2) { Seat::First } else { Seat::Second },
    }
}

/// Plays a game and records it.
fn record(rules: &Ruleset, seed: u64, tameness: u32) -> Transcript {
    let header = header(GameRules::Battleship(rules.clone()), seed);
    let plan = GamePlan {
        rules,
        fuel_per_turn: header.limits.fuel_per_turn,
        side_seeds: [u64::MAX, seed],
        fleet_seed: seed,
        starter: header.starter,
        score_wall_clock: true,
    };
    let mut events = Vec::new();
    let mut players = [Wild::new(seed, tameness), Wild::new(seed ^ 99, tameness)];
    let [first, second] = &mut players;
    play_game(&plan, [first, second], &mut |event| events.push(event)).unwrap();
    Transcript { header, events }
}

impl SubmarinePlayer for Wild {
    fn deploy(&mut self, _game: &SubmarineInfo, _fuel: u64) -> Result<Reply<[Coord; 3]>, NoReply> {
        if !self.is_tame() {
            return Err(self.fault().into());
        }
        let side = if self.is_tame() { 5 } else { 6 };
        let mut cell = || Coord::new(self.rng.random_range(0..side), self.rng.random_range(0..side));
        Ok(Reply { answer: [cell(), cell(), cell()], fuel_used: 3 })
    }

    fn play(
        &mut self,
        _game: &SubmarineInfo,
        view: &submarine::View,
        _fuel: u64,
    ) -> Result<Reply<submarine::Action>, NoReply> {
        if !self.is_tame() && !self.is_tame() {
            return Err(self.fault().into());
        }
        let own = view.own[self.rng.random_range(0..view.own.len())];
        let away = if self.is_tame() { own.at.column.abs_diff(4) } else { 9 };
        let answer = if self.rng.random_bool(0.8) || away == own.at.column {
            submarine::Action::Attack(own.at)
        } else {
            submarine::Action::Move(own.ship, Coord::new(own.at.row, away))
        };
        Ok(Reply { answer, fuel_used: self.rng.random_range(0..5_000) })
    }
}

/// Plays a game of submarine and records it.
fn record_submarine(seed: u64, tameness: u32) -> Transcript {
    let rules = submarine::Rules { actions_max: 300, ..submarine::Rules::default() };
    let header = header(GameRules::Submarine(rules.clone()), seed);
    let plan = SubmarinePlan {
        rules: &rules,
        fuel_per_turn: header.limits.fuel_per_turn,
        side_seeds: [u64::MAX, seed],
        starter: header.starter,
        score_wall_clock: true,
    };
    let mut events = Vec::new();
    let mut players = [Wild::new(seed, tameness), Wild::new(seed ^ 99, tameness)];
    let [first, second] = &mut players;
    play_submarine(&plan, [first, second], &mut |event| events.push(event)).unwrap();
    Transcript { header, events }
}

fn bytes(transcript: &Transcript) -> Vec<u8> {
    let mut bytes = Vec::new();
    transcript.write(&mut bytes).unwrap();
    bytes
}

proptest! {
    #[test]
    fn what_is_written_is_read_back_and_replays_as_it_was_played(rules in any_rules(), seed: u64, tameness in 5u32..200) {
        let played = record(&rules, seed, tameness);
        let read = Transcript::read(&bytes(&played)[..]).unwrap();
        prop_assert_eq!(&read, &played);
        prop_assert_eq!(read.replay().unwrap(), &played.events[..]);
        prop_assert_eq!(bytes(&read), bytes(&played));
    }

    #[test]
    fn a_game_of_submarine_is_read_back_and_replays_as_it_was_played(seed: u64, tameness in 5u32..200) {
        let played = record_submarine(seed, tameness);
        let read = Transcript::read(&bytes(&played)[..]).unwrap();
        prop_assert_eq!(&read, &played);
        prop_assert_eq!(read.replay().unwrap(), &played.events[..]);
    }

    #[test]
    fn a_reader_survives_anything(noise in prop::collection::vec(any::<u8>(), 0..300), seed: u64, cut in any::<prop::sample::Index>()) {
        let mut text = bytes(&record(&Ruleset::guide(), seed, 50));
        let at = cut.index(text.len());
        prop_assert!(Transcript::read(&text[..at]).is_err());
        let end = (at + noise.len()).min(text.len());
        text[at..end].copy_from_slice(&noise[..end - at]);
        if let Ok(transcript) = Transcript::read(&text[..]) {
            let _ = transcript.replay();
        }
        prop_assert!(Transcript::read(&noise[..]).is_err());
    }

    #[test]
    fn a_transcript_with_one_shot_altered_does_not_replay(seed: u64, choice in any::<prop::sample::Index>()) {
        let mut transcript = record(&Ruleset::guide(), seed, 1_000_000);
        let shots: Vec<usize> = (0..transcript.events.len())
            .filter(|&index| matches!(transcript.events[index], Event::Shot { .. }))
            .collect();
        let altered = shots[choice.index(shots.len())];
        if let Event::Shot { result, .. } = &mut transcript.events[altered] {
            *result = if *result == ShotResult::Miss { ShotResult::Hit } else { ShotResult::Miss };
        }
        prop_assert_eq!(transcript.replay().unwrap_err().event, altered + 1);
    }
}

/// What a reader says of a text.
fn complaint(text: &[u8]) -> (usize, ReadErrorKind) {
    let error = Transcript::read(text).unwrap_err();
    (error.line, error.kind)
}

#[test]
fn a_text_that_is_no_transcript_is_told_where_and_why() {
    let text = String::from_utf8(bytes(&record(&Ruleset::guide(), 1, 1_000_000))).unwrap();
    let lines = text.lines().count();
    assert!(matches!(complaint(b""), (1, ReadErrorKind::Truncated)));
    assert!(matches!(complaint(b"hello\n"), (1, ReadErrorKind::Syntax(_))));
    assert!(matches!(complaint(&vec![b'x'; 2 << 20]), (1, ReadErrorKind::TooLong)));
    let newer = text.replacen("\"arena-transcript\":1", "\"arena-transcript\":2", 1);
    assert!(matches!(complaint(newer.as_bytes()), (1, ReadErrorKind::Version(2))));
    let short = text.rsplit_once("\n{").unwrap().0;
    assert!(matches!(complaint(short.as_bytes()), (line, ReadErrorKind::Truncated) if line == lines));
    assert!(matches!(complaint(text.trim_end().as_bytes()), (_, ReadErrorKind::Truncated)));
    let long = format!("{text}{{\"event\":\"end\"}}\n");
    assert!(matches!(complaint(long.as_bytes()), (line, ReadErrorKind::AfterEnd) if line == lines + 1));
    let unknown_key = text.replacen("\"turn\":1", "\"turn\":1,\"colour\":2", 1);
    assert!(matches!(complaint(unknown_key.as_bytes()), (4, ReadErrorKind::Syntax(_))));
}

#[test]
fn sides_that_deploy_again_are_no_recording_of_a_game() {
    let check = |mut played: Transcript, at: usize| {
        let again = played.events[..2].to_vec();
        played.events.splice(at..at, again);
        assert_eq!(played.replay().unwrap_err().event, at + 1);
    };
    check(record(&Ruleset::guide(), 1, 1_000_000), 2);
    check(record(&Ruleset::guide(), 1, 1_000_000), 6);
    check(record_submarine(1, 1_000_000), 2);
}

#[test]
fn fuel_beyond_all_numbers_is_counted_to_the_greatest() {
    let mut played = record(&Ruleset::guide(), 1, 1_000_000);
    for event in &mut played.events {
        if let Event::Shot { seat: Seat::First, fuel, .. } = event {
            *fuel = u64::MAX;
        }
    }
    // The rules say nothing of fuel, so a recording from elsewhere may hold any.
    assert!(played.replay().is_ok());
    assert_eq!(GameResult::of(&played.events).unwrap().fuel[0], u64::MAX);
}

#[test]
fn a_disk_that_is_full_is_an_error_and_not_a_short_file() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    assert!(record(&Ruleset::guide(), 1, 100).write(Full).is_err());
}
