//! A game as plain text, for pipes and for people without a terminal.

use crate::grid::{Grid, Sight, lines};
use crate::moment::Moment;
use crate::text::{plain, width};
use crate::timeline::{Timeline, TimelineError, turn_of};
use crate::words;
use arena_record::Transcript;
use arena_rules::Seat;

/// Columns between the two boards.
const GAP: usize = 3;

/// A recorded game as text: a title, then what happened with both boards after it, turn by turn, and how it ended. Each
/// item is a block of lines without a line end after the last, and without control characters but for line ends.
///
/// # Errors
/// When the transcript is of no game that the rules allow.
pub fn headless(transcript: &Transcript) -> Result<impl Iterator<Item = String> + use<>, TimelineError> {
    let timeline = Timeline::of(transcript)?;
    let title = format!(
        "{}\n{}  v  {}",
        words::title(&timeline),
        words::seat_name(&timeline, Seat::First),
        words::seat_name(&timeline, Seat::Second)
    );
    let positions = 1..=timeline.len();
    Ok(std::iter::once(title).chain(positions.map(move |position| block(&timeline, position))))
}

/// What happened last at a position, and the boards there.
fn block(timeline: &Timeline, position: usize) -> String {
    let Some(event) = timeline.events_until(position).last() else { return String::new() };
    let (sentence, _) = words::sentence(timeline, event, Sight::Truth);
    let sentence = match turn_of(event) {
        None | Some(0) => sentence,
        Some(turn) => format!("turn {turn}: {sentence}"),
    };
    let sentence = plain(&sentence).into_owned();
    // The last turn's boards are those of the end.
    if turn_of(event).is_none() {
        return sentence;
    }
    let boards = boards(timeline, &timeline.moment(position));
    format!("{sentence}\n{}", boards.join("\n"))
}

fn boards(timeline: &Timeline, moment: &Moment) -> Vec<String> {
    let [first, second] = Seat::BOTH.map(|owner| {
        let mut rows = vec![format!("   {}", words::seat_name(timeline, owner))];
        rows.extend(lines(&Grid::new(moment, owner, Sight::Truth)));
        rows
    });
    let column = first.iter().map(|line| width(line)).max().unwrap_or(0) + GAP;
    let beside = |(left, right): (&String, &String)| {
        let pad = " ".repeat(column.saturating_sub(width(left)));
        format!("{left}{pad}{right}").trim_end().to_owned()
    };
    first.iter().zip(&second).map(beside).collect()
}
