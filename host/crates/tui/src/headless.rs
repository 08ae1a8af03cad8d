//! A game as plain text, for pipes and for people without a terminal.

use crate::grid::lines;
use crate::on_screen::OnScreen;
use arena_pictures::text::{plain, width};
use arena_pictures::{Moment, Timeline, TimelineError, Viewpoint, draw_overlay, sentences};
use arena_record::{Event, Transcript};
use arena_rules::Seat;

/// Columns between the two boards.
const GAP: usize = 3;

/// A recorded game as text: a title, then each event with both boards, or the game's picture, after it and what the bots printed, turn by turn, and
/// the end. Each item is a block of lines without a line end after the last, and without control characters except line ends.
pub fn headless<G: OnScreen>(timeline: Timeline<G>) -> impl Iterator<Item = String> {
    let [first, second] = Seat::BOTH.map(|seat| sentences::seat_name(&timeline, seat));
    let title = format!("{}\n{first}  v  {second}", sentences::title(&timeline));
    // One game goes on from event to event: to stand anywhere else, a loaded game may have to be played from its beginning.
    let mut moment = timeline.moment(0);
    let blocks = (1..=timeline.len()).map(move |position| {
        let event = &timeline.events_until(position)[position - 1];
        moment.step(event).expect("the event followed when it was pushed");
        block(&timeline, &moment, event, position)
    });
    std::iter::once(title).chain(blocks)
}

/// The last event at a position, and the boards there.
fn block<G: OnScreen>(
    timeline: &Timeline<G>,
    moment: &Moment<G>,
    event: &Event<G>,
    position: usize,
) -> String {
    let (line, _) = sentences::line(timeline, event, Viewpoint::Truth);
    let line = plain(&line).into_owned();
    // The end has the boards of the last turn.
    if event.turn().is_none() {
        return line;
    }
    let mut lines = vec![line];
    lines.extend(boards(timeline, moment, position, Viewpoint::Truth, true));
    for seat in Seat::BOTH {
        let printed = timeline.log_of_event(seat, position).lines();
        lines.extend(
            printed
                .map(|line| format!("   log of {}, {}", sentences::seat_name(timeline, seat), plain(line))),
        );
    }
    lines.join("\n")
}

/// The boards, or the picture, as a side sees them before an event of a recorded game, by the event's place from 0: its own, and what it knows
/// of the other.
///
/// # Errors
/// The transcript is not of a game that the rules allow.
pub fn view<G: OnScreen>(
    transcript: &Transcript<G>,
    seat: Seat,
    event: usize,
) -> Result<String, TimelineError> {
    let timeline = Timeline::of(transcript)?;
    let position = event.min(timeline.len());
    Ok(boards(&timeline, &timeline.moment(position), position, Viewpoint::Of(seat), false).join("\n"))
}

fn boards<G: OnScreen>(
    timeline: &Timeline<G>,
    moment: &Moment<G>,
    position: usize,
    viewpoint: Viewpoint,
    has_marks: bool,
) -> Vec<String> {
    if !G::HAS_BOARDS {
        let sheet = G::picture(moment, viewpoint);
        return sheet.lines().iter().map(|line| format!("   {line}").trim_end().to_owned()).collect();
    }
    let [first, second] = Seat::BOTH.map(|owner| {
        let mut rows = vec![format!("   {}", sentences::seat_name(timeline, owner))];
        let mut board =
            if viewpoint.sees(owner) { G::board(moment, owner) } else { G::board_seen(moment, owner) };
        if has_marks {
            draw_overlay(&mut board, &timeline.overlay(owner.other(), position));
        }
        rows.extend(lines(&board));
        rows
    });
    let column = first.iter().map(|line| width(line)).max().unwrap_or(0) + GAP;
    // A side without a board has fewer rows.
    let beside = |row: usize| {
        let [left, right] = [&first, &second].map(|rows| rows.get(row).map_or("", String::as_str));
        let pad = " ".repeat(column.saturating_sub(width(left)));
        format!("{left}{pad}{right}").trim_end().to_owned()
    };
    (0..first.len().max(second.len())).map(beside).collect()
}
