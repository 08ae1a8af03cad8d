//! The replay of a game that is in no contest.

use crate::contest::{Contest, Game, Journal, Title};
use crate::{Notices, Page, Replays, Report, Reported};
use arena_league::Format;
use arena_pictures::{TimelineError, frames, spot};
use arena_record::{GameResult, Transcript};
use arena_rules::SIDE_MAX;

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
    let header = &transcript.header;
    let game = Game {
        number: 1,
        seats: [0, 1],
        result: GameResult::of(&transcript.events).ok(),
        is_played: true,
        stage: None,
        at: None,
    };
    let contest = Contest {
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
        is_lone: true,
    };
    let positions = frames(transcript, logs)?;
    let [page, _] = Report::new(&contest, Replays::All).game(0, transcript, positions);
    Ok(page)
}
