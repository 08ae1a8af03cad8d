//! Transcripts as files: what a reader takes, and what it refuses.

use crate::support;
use arena_record::{Event, FORMAT, GameResult, ReadErrorKind, Recording, Seed, Transcript};
use arena_rules::battleship::{Battleship, OnSkip, Ruleset};
use arena_rules::submarine::Submarine;
use arena_rules::{GameRules, Listed, Seat};

/// The text of a game of Battleship.
fn text() -> String {
    String::from_utf8(support::battleship().to_bytes()).unwrap()
}

/// The line and the problem in the refusal of a text.
fn refusal(text: impl AsRef<[u8]>) -> (usize, ReadErrorKind) {
    let error = Transcript::<Battleship>::read(text.as_ref()).unwrap_err();
    (error.line, error.kind)
}

/// The text with a piece of it replaced. The piece must be there.
fn with(text: &str, piece: &str, by: &str) -> String {
    assert!(text.contains(piece), "{piece}");
    text.replacen(piece, by, 1)
}

#[test]
fn the_game_of_a_recording_is_known_before_its_events_are_read() {
    let bytes = support::submarine().to_bytes();
    let recording = Recording::read(&bytes[..]).unwrap();
    assert_eq!(recording.header.conditions.rules.kind(), Submarine::KIND);
    assert_eq!(recording.header.labels(), ["a", "b"]);
    assert_eq!(recording.transcript::<Submarine>().unwrap(), support::submarine());
    let error = recording.transcript::<Battleship>().unwrap_err();
    assert!(matches!((error.line, error.kind), (2, ReadErrorKind::Syntax(_))));
}

#[test]
fn a_text_that_is_not_a_transcript_is_refused_with_the_line_and_the_reason() {
    let text = text();
    let lines = text.lines().count();
    assert!(matches!(refusal(""), (1, ReadErrorKind::Incomplete)));
    assert!(matches!(refusal("hello\n"), (1, ReadErrorKind::NotJson(_))));
    assert!(matches!(refusal(vec![b'x'; 8 << 20]), (1, ReadErrorKind::TooLong)));
    let long_line = format!("{text}{}\n", " ".repeat(4 << 20));
    assert!(matches!(refusal(long_line), (line, ReadErrorKind::TooLong) if line == lines + 1));
    let short = text.rsplit_once("\n{").unwrap().0;
    assert!(matches!(refusal(short), (line, ReadErrorKind::Incomplete) if line == lines));
    assert!(matches!(refusal(text.trim_end()), (_, ReadErrorKind::Incomplete)));
    let long = format!("{text}{{\"event\":\"ended\"}}\n");
    assert!(matches!(refusal(long), (line, ReadErrorKind::AfterEnd) if line == lines + 1));
    assert!(matches!(refusal(with(&text, "\"effect\"", "\"result\"")), (4, ReadErrorKind::Syntax(_))));
}

#[test]
fn a_byte_order_mark_before_a_transcript_is_skipped_and_utf_16_is_named() {
    let text = text();
    let marked = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    assert_eq!(Transcript::read(marked.as_bytes()).unwrap(), support::battleship());
    // It is not a part of the recording.
    assert_eq!(Recording::read(marked.as_bytes()).unwrap().to_bytes()[0], b'{');
    let utf_16: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let (line, kind) = refusal(utf_16);
    assert_eq!((line, kind.to_string().as_str()), (1, "the file is UTF-16; save it as UTF-8"));
}

#[test]
fn another_version_is_refused_and_so_is_one_that_is_not_two_numbers() {
    let complaint = |version: &str| refusal(with(&text(), r#""1.0""#, version));
    for version in ["0.3", "1.1", "2.0"] {
        let (line, kind) = complaint(&format!("{version:?}"));
        let words = format!("the format is {version}, and this arena reads 1.0 only");
        assert_eq!((line, kind.to_string()), (1, words));
    }
    for version in ["\"1\"", "\"1.0.0\"", "\"one\"", "\"1.-1\"", "1", "-1", "1.0", "null"] {
        assert!(matches!(complaint(version), (1, ReadErrorKind::Syntax(_))), "{version}");
    }
    assert_eq!(FORMAT.to_string(), "1.0");
}

#[test]
fn a_switch_that_a_header_leaves_out_has_the_value_of_the_baseline() {
    let strict = support::battleship_with(|rules| rules.skip = OnSkip::Lose);
    let text = String::from_utf8(strict.to_bytes()).unwrap();
    let rules =
        |text: String| Transcript::<Battleship>::read(text.as_bytes()).unwrap().header.conditions.rules;
    let shorter = with(&with(&text, r#""may-touch":false,"#, ""), r#","turns-max":400"#, "");
    assert_eq!(rules(shorter), strict.header.conditions.rules);
    let without = with(&text, r#""skip":"lose","#, "");
    assert_eq!(rules(without), GameRules::Battleship(Ruleset::baseline()));

    let submarine = String::from_utf8(support::submarine().to_bytes()).unwrap();
    let without = with(&submarine, r#","actions-max":10"#, "");
    let read = Transcript::<Submarine>::read(without.as_bytes()).unwrap();
    assert_eq!(read.header.conditions.rules, GameRules::default_of(Submarine::KIND).unwrap());
}

#[test]
fn a_switch_that_is_not_known_is_refused() {
    // The game may have continued by a rule that this arena does not know.
    let altered = with(&text(), r#""may-touch":false"#, r#""may-touch":false,"fog":true"#);
    let (line, kind) = refusal(altered);
    assert_eq!(line, 1);
    assert!(kind.to_string().contains("unknown field `fog`"), "{kind}");
}

#[test]
fn seeds_are_text_so_that_no_reader_of_json_rounds_them() {
    let mut transcript = support::battleship();
    transcript.header.conditions.seed = Seed::of_bytes([0xfe; 32]).into();
    let text = String::from_utf8(transcript.to_bytes()).unwrap();
    assert!(text.contains(&format!(r#""seed":"{}""#, "fe".repeat(32))), "{text}");
    assert!(text.contains(r#""seed":"ffffffffffffffff""#), "{text}");
    assert_eq!(Transcript::read(text.as_bytes()).unwrap(), transcript);
}

#[test]
fn fuel_beyond_the_largest_number_is_counted_to_the_largest_number() {
    let mut played = support::battleship();
    for event in &mut played.events {
        if let Event::Acted { seat: Seat::First, fuel, .. } = event {
            *fuel = u64::MAX;
        }
    }
    // The rules do not determine fuel, so a recording from elsewhere may hold any.
    assert!(played.replay().is_ok());
    assert_eq!(GameResult::of(&played.events).unwrap().fuel[0], u64::MAX);
}

#[test]
fn a_full_disk_is_an_error_and_not_a_short_file() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    assert!(support::battleship().write(Full).is_err());
}
