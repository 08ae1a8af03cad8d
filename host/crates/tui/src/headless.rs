//! A game as plain text, for pipes and for people without a terminal.

use crate::OnScreen;
use crate::grid::lines;
use crate::moment::Sight;
use crate::text::{plain, width};
use crate::timeline::{Timeline, TimelineError};
use crate::words;
use arena_record::Transcript;
use arena_rules::Seat;

/// Columns between the two boards.
const GAP: usize = 3;

/// A recorded game as text: a title, then each event with both boards after it, turn by turn, and the end. Each item is a
/// block of lines without a line end after the last, and without control characters except line ends.
///
/// # Errors
/// The transcript is not of a game that the rules allow.
pub fn headless<G: OnScreen>(
    transcript: &Transcript<G>,
) -> Result<impl Iterator<Item = String> + use<G>, TimelineError> {
    let timeline = Timeline::of(transcript)?;
    let [first, second] = Seat::BOTH.map(|seat| words::seat_name(&timeline, seat));
    let title = format!("{}\n{first}  v  {second}", words::title(&timeline));
    let positions = 1..=timeline.len();
    Ok(std::iter::once(title).chain(positions.map(move |position| block(&timeline, position))))
}

/// The last event at a position, and the boards there.
fn block<G: OnScreen>(timeline: &Timeline<G>, position: usize) -> String {
    let Some(event) = timeline.events_until(position).last() else { return String::new() };
    let (line, _) = words::line(timeline, event, Sight::Truth);
    let line = plain(&line).into_owned();
    // The end has the boards of the last turn.
    if event.turn().is_none() {
        return line;
    }
    format!("{line}\n{}", boards(timeline, position).join("\n"))
}

fn boards<G: OnScreen>(timeline: &Timeline<G>, position: usize) -> Vec<String> {
    let moment = timeline.moment(position);
    let [first, second] = Seat::BOTH.map(|owner| {
        let mut rows = vec![format!("   {}", words::seat_name(timeline, owner))];
        rows.extend(lines(&G::board(&moment, owner)));
        rows
    });
    let column = first.iter().map(|line| width(line)).max().unwrap_or(0) + GAP;
    let beside = |(left, right): (&String, &String)| {
        let pad = " ".repeat(column.saturating_sub(width(left)));
        format!("{left}{pad}{right}").trim_end().to_owned()
    };
    first.iter().zip(&second).map(beside).collect()
}
