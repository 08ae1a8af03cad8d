//! Recorded games as text: all that a screen or a page shows of them, at each event.

use arena_pictures::{Frame, Picture, Pictured, Timeline, Tone, Viewpoint, frames, sentences};
use arena_record::Transcript;
use arena_rules::Seat;
use arena_rules::battleship::Battleship;
use arena_rules::submarine::Submarine;
use std::fmt::Write;
use std::ops::RangeInclusive;

const GUIDE: &[u8] = include_bytes!("../../tui/tests/data/guide.jsonl");
const OVERRUNS: &[u8] = include_bytes!("../../tui/tests/data/overruns.jsonl");
const PANIC: &[u8] = include_bytes!("../../tui/tests/data/panic.jsonl");
const PANIC_LOG: &str = include_str!("../../tui/tests/data/panic.log");
const PIRATES: &[u8] = include_bytes!("../../tui/tests/data/pirates.jsonl");
const SUBMARINE: &[u8] = include_bytes!("../../tui/tests/data/submarine.jsonl");

const VIEWPOINTS: [Viewpoint; 3] =
    [Viewpoint::Truth, Viewpoint::Of(Seat::First), Viewpoint::Of(Seat::Second)];

/// A log with an overlay and a note, as one file has it.
const MARKED: &str = "deploy: ready\nturn 2: thinking\n@mark a1 0.8\n@mark j9 0.25\n@text b9 x1\n@line a0 9,9\n@line a0 z9\nturn 3: @note done\n";

fn recording<G: Pictured>(bytes: &[u8]) -> Transcript<G> {
    Transcript::read(bytes).unwrap()
}

/// The different texts of the three viewpoints: that of an observer, and those of the sides, if they are told something else.
fn seen<T: PartialEq>(of: impl Fn(Viewpoint) -> T, text: impl Fn(&T) -> String) -> String {
    let [truth, first, second] = VIEWPOINTS.map(of);
    let mut seen = text(&truth);
    for (side, other) in [(1, first), (2, second)] {
        if other != truth {
            write!(seen, " |{side}: {}", text(&other)).unwrap();
        }
    }
    seen
}

/// Some events of a game, each with its sentence, its few characters, the comment, the printed lines and the chance of seat 1.
fn events<G: Pictured>(
    recording: &Transcript<G>,
    logs: [Option<String>; 2],
    shown: RangeInclusive<usize>,
) -> String {
    let timeline = Timeline::of(recording).unwrap().with_logs(logs.clone());
    let mut text = format!(
        "{}\n{}; {}; {}\nfaults at {:?}, over: {}, logs: {}\n",
        sentences::title(&timeline),
        sentences::pairing(&timeline, Seat::First),
        sentences::pairing(&timeline, Seat::Second),
        Seat::BOTH.map(|seat| sentences::seat_name(&timeline, seat)).join(", "),
        timeline.faults(),
        timeline.is_over(),
        timeline.has_logs(),
    );
    let frames: Vec<Frame> = frames(recording, logs).unwrap().collect();
    assert_eq!(frames.len(), timeline.len() + 1);
    for (position, frame) in shown.map(|position| (position, &frames[position])) {
        let (until, moment) = (timeline.events_until(position), timeline.moment(position));
        let event = &until[position - 1];
        let of_seats = VIEWPOINTS.map(|viewpoint| sentences::line(&timeline, event, viewpoint).0);
        assert_eq!([&frame.text, &frame.text_of[0], &frame.text_of[1]], of_seats.each_ref());
        let line = seen(
            |viewpoint| sentences::line(&timeline, event, viewpoint),
            |(text, tone)| format!("{text} {}", letter(*tone)),
        );
        let brief = seen(
            |viewpoint| sentences::brief(&timeline, event, viewpoint),
            |(text, tone)| format!("{text} {}", letter(*tone)),
        );
        let words = seen(|viewpoint| sentences::brief_line(&timeline, event, viewpoint).0, String::clone);
        writeln!(text, "{position}. {line}\n   {brief} / {words}").unwrap();
        let comment = seen(
            |viewpoint| sentences::comment(&timeline, &moment, until, viewpoint),
            |it| it.clone().unwrap_or_default(),
        );
        let printed: Vec<&str> = frame.printed.iter().flat_map(|printed| printed.lines()).collect();
        let blast = seen(|viewpoint| G::blast(&moment, event, viewpoint), |it| format!("{it:?}"));
        for (what, it) in [("comment", comment), ("printed", printed.join(" / ")), ("strikes", blast)] {
            if !it.is_empty() && it != "None" {
                writeln!(text, "   {what}: {it}").unwrap();
            }
        }
        writeln!(text, "   {:.3}, {} v {}", frame.chance_of_first, frame.afloat[0], frame.afloat[1]).unwrap();
    }
    text
}

/// The meaning of a cell in a letter.
fn letter(tone: Tone) -> char {
    format!("{tone:?}").remove(0)
}

/// A board: its cells with their texts by a bot, their tones and shades, and the lines over them, with `>` before the last turn's cell.
fn board(Picture { size, cells, lines }: &Picture, heat: Option<&[Option<u8>]>) -> String {
    let tenths = |tenths: Option<u8>| tenths.map_or("-".to_owned(), |tenths| tenths.to_string());
    let rows = cells.chunks(size.width.into()).enumerate().map(|(row, cells)| {
        let texts = cells.iter().map(|cell| {
            format!("{}{:<3}", if cell.is_last { '>' } else { ' ' }, format!("{}{}", cell.text, cell.written))
        });
        let tones: String = cells.iter().map(|cell| letter(cell.tone)).collect();
        let marks: String = cells.iter().map(|cell| tenths(cell.shade)).collect();
        let start = row * usize::from(size.width);
        let heat = heat
            .map(|heat| heat[start..start + cells.len()].iter().map(|it| tenths(*it)).collect::<String>());
        format!("{} {tones} {marks} {}", texts.collect::<String>(), heat.unwrap_or_default())
    });
    let lines = lines.iter().map(|[from, to]| format!("line {from} to {to}"));
    rows.chain(lines).collect::<Vec<_>>().join("\n")
}

/// The boards of a game at a position, as they are and as the other side knows them, with the lines below them.
fn boards<G: Pictured>(recording: &Transcript<G>, logs: [Option<String>; 2], position: usize) -> String {
    let moment = Timeline::of(recording).unwrap().moment(position);
    let frame = frames(recording, logs).unwrap().nth(position).unwrap();
    let mut text = format!("position {position}\n");
    for owner in Seat::BOTH {
        let index = owner.index();
        let note = seen(
            |viewpoint| G::fleet_note(&moment, owner, viewpoint),
            |pieces| pieces.iter().map(|(text, tone)| format!("{text} {}", letter(*tone))).collect(),
        );
        let known: String = G::knowledge_note(&moment, owner).iter().map(|(text, _)| text.as_ref()).collect();
        writeln!(
            text,
            "{}\nseen:\n{}\n{note}; {known}; {:?} hit, look at {:?}, {}",
            board(&frame.boards[index], None),
            board(&frame.boards_seen[index], frame.heat[index].as_ref().map(|map| map.tenths.as_slice())),
            G::damage(&moment, owner),
            G::focus(&moment, owner),
            G::heat(&moment, owner).map_or("no heat", |heat| heat.source()),
        )
        .unwrap();
    }
    text
}

/// Checks these events of a game, and its boards at these positions, against a snapshot.
fn check<G: Pictured>(
    name: &str,
    bytes: &[u8],
    logs: [Option<&str>; 2],
    shown: RangeInclusive<usize>,
    positions: &[usize],
) {
    let (recording, logs) = (recording::<G>(bytes), logs.map(|log| log.map(str::to_owned)));
    let boards = positions.iter().map(|&position| boards(&recording, logs.clone(), position));
    let boards = boards.collect::<Vec<_>>().join("\n");
    let events = events(&recording, logs, shown);
    insta::assert_snapshot!(name, format!("{events}\n{boards}"));
}

#[test]
fn each_event_of_a_game_is_told_and_shown_to_each_side_as_far_as_it_knows() {
    check::<Battleship>("guide", GUIDE, [Some(MARKED), None], 1..=40, &[0, 2, 5, 60, 124]);
    check::<Battleship>("pirates", PIRATES, [None, None], 70..=99, &[1, 50, 99]);
    check::<Battleship>("panic", PANIC, [None, Some(PANIC_LOG)], 1..=5, &[5]);
    check::<Battleship>("overruns", OVERRUNS, [None, None], 110..=120, &[113]);
    check::<Submarine>("submarine", SUBMARINE, [None, None], 1..=29, &[0, 2, 5, 8, 29]);
}
