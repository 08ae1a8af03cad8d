//! A game that is in no contest: its replay, and its page while it is played.

use crate::contest::{Contest, Game, Journal, Title};
use crate::pages::{Watched, with_replay};
use crate::replay::{Growing, Replay};
use crate::{Notices, Page, Replays, Report, Reported};
use arena_league::Format;
use arena_pictures::{Frames, Timeline, TimelineError, frames, spot};
use arena_record::{Event, GameResult, Header, ReplayError, Transcript};
use arena_rules::{SIDE_MAX, Seat, Size};

/// The page with the replay of a game that is in no contest, such as that of a person against a bot, with the logs of its sides. The style
/// sheet and the script are those of a site, one folder up.
///
/// # Errors
/// The transcript is not of a game that the rules allow, or has no end.
pub fn lone_replay<G: Reported>(
    transcript: &Transcript<G>,
    logs: [Option<String>; 2],
    title: &str,
) -> Result<Page, TimelineError> {
    let result = GameResult::of(&transcript.events).ok();
    let contest = contest(&transcript.header, result, title, "A game of a person, which counts for nothing");
    let positions = frames(transcript, logs)?;
    let [page, _] = Report::new(&contest, Replays::All).game(0, transcript, positions);
    Ok(page)
}

/// A contest of one game, with these words about it.
fn contest(header: &Header, result: Option<GameResult>, title: &str, words: &'static str) -> Contest {
    let result = result.map(Into::into);
    let game = Game { number: 1, seats: [0, 1], result, is_played: true, stage: None, at: None };
    Contest {
        title: Title::new(title),
        url: None,
        journal: Journal { name: Title::default(), word: String::new(), head: None, is_offered: false },
        conditions: header.conditions.clone(),
        seed: None,
        format: Format::RoundRobin,
        games_per_match: 1,
        max_faults: None,
        columns: (0..SIDE_MAX).map(spot::column).collect(),
        bots: header.bots.iter().map(|seated| seated.bot.clone()).collect(),
        standings: Vec::new(),
        history: None,
        first_seat: None,
        notes_on_bots: Vec::new(),
        ratings: arena_league::rate(2, []),
        placings: None,
        games: vec![game],
        games_planned: 1,
        is_complete: true,
        is_closed: true,
        dates: None,
        disqualified: Vec::new(),
        components: Vec::new(),
        stages: Vec::new(),
        served: None,
        frozen_at: None,
        notices: Notices::default(),
        has_visitors: false,
        lone: Some(words),
    }
}

/// A game that is played, for a page that shows it: that of a replay, which gets the positions one by one.
#[derive(Debug)]
pub struct WatchedGame<G: Reported> {
    timeline: Timeline<G>,
    frames: Frames<G>,
    growing: Growing,
}

impl<G: Reported> WatchedGame<G> {
    /// A game before its first event.
    ///
    /// # Errors
    /// The rules in the header are of another game, or not playable.
    pub fn new(header: Header) -> Result<Self, TimelineError> {
        let timeline = Timeline::new(header)?;
        let mut frames = Frames::new(&timeline);
        let mut growing = Growing::new::<G>(timeline.header().conditions.limits.fuel_per_turn);
        if let Some(position) = frames.next(&timeline) {
            growing.push::<G>(None, position);
        }
        Ok(Self { timeline, frames, growing })
    }

    /// Its page before the first event. It gets the [steps](Self::event) from the address `events`, as server-sent events, by the script
    /// `watch.js`, which the server has one folder up, and leads to the page of the `next` game.
    pub fn page(&self, title: &str, events: String, next: Option<String>) -> Page {
        let contest = contest(self.timeline.header(), None, title, "A game as it is played");
        // All parts are there that it may need.
        let replay = Replay {
            data: self.growing.data.clone(),
            last: self.growing.last.clone().unwrap_or_default(),
            ..Replay::none(Size::EMPTY)
        };
        with_replay::<G>(&Report::new(&contest, Replays::All), 0, replay, Some(Watched { events, next }))
    }

    /// Takes the whole log of a bot so far, before the event of its turn.
    pub fn log(&mut self, seat: Seat, text: String) {
        self.timeline.set_log(seat, text);
    }

    /// Takes the next event. Returns what its position adds to the page, as JSON without line breaks.
    ///
    /// # Errors
    /// The event does not follow from those before it.
    pub fn event(&mut self, event: Event<G>) -> Result<String, ReplayError> {
        self.timeline.push(event.clone())?;
        let position = self.frames.next(&self.timeline).expect("the timeline has the event");
        Ok(self.growing.step(&event, position))
    }

    /// The number of events so far.
    pub fn len(&self) -> usize {
        self.timeline.len()
    }

    /// True before the first event.
    pub fn is_empty(&self) -> bool {
        self.timeline.is_empty()
    }

    /// True once the game has its end.
    pub fn is_over(&self) -> bool {
        self.timeline.is_over()
    }
}
