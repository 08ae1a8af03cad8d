//! The contest that a report is about.

use crate::{CompactResult, Notices, layout};
use arena_engine::Rating;
use arena_engine::internals::kept_games::StageEnd;
use arena_league::{Format, MeanScore, Placings, Ratings, Row};
use arena_record::{BotId, Conditions, Disqualified, Seed};
use arena_rules::{Outcome, Seat};
use arena_store::ChainHead;
use arena_text::Line;
use std::collections::BTreeMap;

/// A title or the name of a file, in at most 120 characters. Chosen: a title of two lines.
pub type Title = Line<120>;

/// A contest, with the results of its games.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The title of the site.
    pub title: Title,
    /// The address at which the site will be, with a `/` at its end, if it is known.
    pub url: Option<String>,
    /// Its journal.
    pub journal: Journal,
    /// The conditions of all games.
    pub conditions: Conditions,
    /// The random seed, unless it is still secret.
    pub seed: Option<Seed>,
    /// The format.
    pub format: Format,
    /// The number of games of a match.
    pub games_per_match: u32,
    /// The number of games with faults after which a bot is disqualified.
    pub max_faults: Option<u32>,
    /// The letters of columns, as many as a board can have.
    pub columns: String,
    /// The bots. Everything else names them by their index.
    pub bots: Vec<BotId>,
    /// The standings, best first.
    pub standings: Vec<RankedBot>,
    /// The ratings over time; `None` before the first game.
    pub history: Option<History>,
    /// The advantage of seat 1, in Elo, as text.
    pub first_seat: Option<String>,
    /// Notes on the bots: on the anchor of their ratings, and on retired ones.
    pub notes_on_bots: Vec<String>,
    /// The ratings that the standings have.
    pub ratings: Ratings,
    /// The places, in formats that have places of their own, in the order of the standings.
    pub placings: Option<Placings>,
    /// The games so far, in the order of the schedule.
    pub games: Vec<Game>,
    /// The number of games on the schedule, as far as it is known.
    pub games_planned: usize,
    /// True if the schedule is played to its end.
    pub is_complete: bool,
    /// True if the journal is closed, so that no run continues it.
    pub is_closed: bool,
    /// The first and the last time that the journal records, in UTC; `None` if it records no times.
    pub dates: Option<[String; 2]>,
    /// The bots that were disqualified, in that order.
    pub disqualified: Vec<Disqualified>,
    /// The components that the site offers, by the indices of their bots.
    pub components: Vec<usize>,
    /// The stages of the journal.
    pub stages: Vec<StageEnd>,
    /// The number of the season among those of a club, if one serves the site. It makes a replay of any game on demand, and has pages of
    /// its own.
    pub served: Option<u32>,
    /// The time at which the season was frozen, in UTC: its club takes no more bots. `None` when it takes them.
    pub frozen_at: Option<String>,
    /// What the organiser of the club says.
    pub notices: Notices,
    /// True if the visitors of the club may play against its bots.
    pub has_visitors: bool,
    /// The words about a game that is in no contest, whose page has no links to others; `None` for a contest.
    pub lone: Option<&'static str>,
}

/// A time of a journal or a register, such as `2026-01-31T12:00:00Z`, for a reader.
pub fn time_in_words(utc: &str) -> String {
    format!("{} UTC", utc.replace('T', " ").trim_end_matches('Z'))
}

/// Ratings over time.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The first bots, whose ratings the front page has.
    pub bots: Vec<usize>,
    /// The numbers of games after which bots were rated, in ascending order, with the ratings by bot. A bot has none before its first
    /// game that counts. Of bots that share a label, only those that played at the time have one, and the first bots.
    pub points: Vec<(usize, BTreeMap<usize, Rating>)>,
    /// The number of games before each stage except the first.
    pub stages: Vec<usize>,
}

/// The journal of a contest.
#[derive(Clone, Debug)]
pub struct Journal {
    /// The name of its file.
    pub name: Title,
    /// The same name quoted for a shell, for commands.
    pub word: String,
    /// The head of its chain of hashes; `None` for an older journal.
    pub head: Option<ChainHead>,
    /// True if the site offers a copy of it.
    pub is_offered: bool,
}

/// The row of a bot in the standings.
#[derive(Clone, Debug)]
pub struct RankedBot {
    /// The [place](arena_engine::Ranking::places) among the bots that play; `None` for one that has left, such as an older version.
    pub place: Option<u32>,
    /// The rating; `None` when the bot has played no game that counts.
    pub rating: Option<Rating>,
    /// The likelihood that the bot is stronger than the next one that is not an older version, 0 to 1; `None` when there is no next
    /// one, or too early.
    pub los: Option<f64>,
    /// The newest version of the bot: the bot that has its label now, which may be itself.
    pub newest: usize,
    /// The change since the last stage began; `None` in a contest of one stage, and for a bot without a rating.
    pub change: Option<Change>,
    /// The mean of the scores that the game gives, if it gives any.
    pub mean_score: Option<MeanScore>,
    /// The bot, and the numbers of its games, wins and faults.
    pub score: Row,
}

/// The change of a bot's rating since the last stage began.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// The bot had no rating then.
    New,
    /// The difference, in Elo.
    By(f64),
}

/// A game of the contest.
#[derive(Clone, Debug)]
pub struct Game {
    /// The number in the contest, from 1.
    pub number: usize,
    /// The bots, by seat.
    pub seats: [usize; 2],
    /// The result; `None` when the arena failed.
    pub result: Option<CompactResult>,
    /// True if the game was played. Otherwise a bot was disqualified, and the result follows from that.
    pub is_played: bool,
    /// The number of the stage of its journal in which it was played, from 1; `None` when it was not played.
    pub stage: Option<u32>,
    /// The time at which it was played, to about a minute, in seconds since 1970; `None` when the journal records no times.
    pub at: Option<i64>,
}

impl Contest {
    /// The page of the bot that has this label now: that of all its versions, or its own.
    pub fn page_of_label(&self, label: &str) -> Option<String> {
        let bot = self.bots.iter().position(|bot| bot.label.as_str() == label)?;
        // An older version has another one.
        self.standings.iter().find(|row| row.score.contestant == bot && !row.is_older_version())?;
        let of_label = self.standings.iter().filter(|row| row.newest == bot);
        let versions: Vec<usize> = of_label.map(|row| row.score.contestant).collect();
        let first = versions.iter().copied().min().filter(|_| versions.len() > 1);
        Some(first.map_or_else(|| layout::bot(bot), layout::label))
    }

    /// The page of the bot whose component has this SHA-256.
    pub fn page_of_version(&self, sha256: &str) -> Option<String> {
        self.bots.iter().position(|bot| bot.sha256.as_str() == sha256).map(layout::bot)
    }

    /// The page of a game that was played in this stage of this season of a club, by its number in the contest. The club has a page of each.
    pub fn page_of_game(&self, season: u32, stage: u32, number: usize) -> Option<String> {
        let index = self.games.binary_search_by_key(&number, |game| game.number).ok()?;
        let game = self.games[index].played().and(Some(&self.games[index]))?;
        (self.served == Some(season) && game.stage == Some(stage)).then(|| layout::game(number))
    }
}

impl RankedBot {
    /// True if the bot does not play any more.
    pub fn has_left(&self) -> bool {
        self.place.is_none()
    }

    /// True for a bot whose label another one has now.
    pub fn is_older_version(&self) -> bool {
        self.newest != self.score.contestant
    }
}

impl Game {
    /// The result, if the game was played and has one.
    pub fn played(&self) -> Option<&CompactResult> {
        self.result.as_ref().filter(|_| self.is_played)
    }

    /// The date on which it was played, in UTC, as in `2026-01-31`; `None` when the journal records no times.
    pub fn date(&self) -> Option<String> {
        let time = time::OffsetDateTime::from_unix_timestamp(self.at?).ok()?;
        Some(time.date().to_string())
    }

    /// The winner, if there is one.
    pub fn winner(&self) -> Option<usize> {
        match self.result.as_ref()?.outcome {
            Outcome::Win(seat) => Some(self.seats[seat.index()]),
            Outcome::Draw | Outcome::NoContest => None,
        }
    }

    /// The half points of a seat; `None` for a game that does not score.
    pub fn half_points(&self, seat: Seat) -> Option<u32> {
        match self.result.as_ref()?.outcome {
            Outcome::Win(winner) => Some(if winner == seat { 2 } else { 0 }),
            Outcome::Draw => Some(1),
            Outcome::NoContest => None,
        }
    }
}
