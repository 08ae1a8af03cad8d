//! The messages between a club and `arena submit`, and the requests of the latter.

use crate::client::{Address, Message, request};
use crate::error::ClubError;
use arena_engine::{Error, Rating};
use arena_rules::{Outcome, Seat};
use arena_store::{Dates, Version, VersionState};
use arena_text::{Line, Text, shown};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::Path;
use ureq::http::StatusCode;

/// The standing of a version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Standing {
    /// The place among the bots that play, from 1; `None` when it does not play.
    pub place: Option<u32>,
    /// The number of games.
    pub games: u32,
    /// The points: one for a win, a half for a draw.
    pub points: f64,
    /// The number of faults.
    pub faults: u32,
    /// The rating, in Elo above the anchor.
    #[serde(flatten)]
    pub rating: Rating,
}

/// The state of a version, as its author sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SubmittedState {
    /// It waits to be judged.
    Waiting,
    /// It was refused.
    Refused,
    /// It was at fault in a trial game, and does not play.
    Faulted,
    /// It plays.
    Plays,
    /// It was admitted, and another version plays.
    Superseded,
    /// It was admitted as a draft: it plays when its author chooses it.
    Draft,
    /// It was admitted, and is paused because of its faults.
    Paused,
    /// It was admitted, and its author is disqualified.
    Disqualified,
    /// A newer version of its author came before it was judged.
    Replaced,
    /// Its component was deleted.
    Deleted,
}

/// A version of an author's bot, as its author sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Submitted {
    /// The number of the submission.
    pub id: i64,
    /// The number among the author's versions, from 1.
    pub version: u32,
    /// The SHA-256 of the component.
    pub sha256: Line<64>,
    /// The size of the component.
    pub size_bytes: u64,
    /// The time at which it was submitted, in UTC.
    pub submitted_at: Line<32>,
    /// The state.
    pub state: SubmittedState,
    /// True if the component is published when a season in which it has played is over.
    pub published: bool,
    /// The finding about it, in the words of `arena check`.
    pub finding: String,
    /// The standing, if it has played.
    pub standing: Option<Standing>,
    /// True if it plays, and the club may have more games to play for it, as far as the club knows by now.
    pub awaits_games: bool,
    /// The difference of its rating from that of the version before it that has one, in Elo.
    pub change: Option<f64>,
    /// The games that tell most about why it loses, if it plays.
    pub lost: Vec<LostGame>,
    /// The challenges in which it has games that count for nothing, the latest first.
    pub challenges: Vec<SeenChallenge>,
    /// The next step for its author, in a sentence; empty if there is none.
    pub next: Line<200>,
}

/// A game that a version has lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct LostGame {
    /// The number.
    pub number: usize,
    /// The label of the winner.
    pub opponent: Line<48>,
    /// What it tells, in a sentence about the version.
    pub why: Line<120>,
    /// The address of its replay, from that of the club.
    pub address: Line<60>,
}

/// A challenge, as the author of one of its versions sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct SeenChallenge {
    /// The number.
    pub id: i64,
    /// True if this author has asked for it.
    pub asked: bool,
    /// The author of the other version.
    pub opponent: Line<48>,
    /// The number of the other version.
    pub opponent_version: u32,
    /// The time at which it was asked for, in UTC.
    pub asked_at: Line<32>,
    /// Whether its games were played.
    pub progress: ChallengeProgress,
    /// The games.
    pub games: Vec<SeenGame>,
}

/// Whether the games of a challenge were played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChallengeProgress {
    /// They wait for their turn.
    Waiting,
    /// They were played.
    Played,
    /// The arena could not play them, or one of the versions is no more.
    Failed,
}

/// A game, as the author of one of its bots sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct SeenGame {
    /// The number.
    pub number: usize,
    /// The seat of the author's bot.
    pub seat: u8,
    /// The result.
    pub result: SeenResult,
    /// The reason why it ended.
    pub ending: Line<60>,
    /// The number of turns of the author's bot.
    pub turns: u32,
    /// The number of faults of the author's bot.
    pub faults: u32,
}

/// The result of a game for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeenResult {
    /// The author's bot has won.
    Won,
    /// It has lost.
    Lost,
    /// It is a draw.
    Drawn,
    /// The game has no result.
    NotCounted,
}

impl SeenChallenge {
    /// The result in words.
    pub fn words(&self) -> String {
        let count = |result: SeenResult| self.games.iter().filter(|game| game.result == result).count();
        match self.progress {
            ChallengeProgress::Waiting => "waits for its turn".into(),
            ChallengeProgress::Failed => "could not be played".into(),
            ChallengeProgress::Played => {
                let results = [SeenResult::Won, SeenResult::Drawn, SeenResult::Lost, SeenResult::NotCounted];
                let counts = results.map(|result| (count(result), result.word()));
                let words = counts.into_iter().filter(|(count, _)| *count > 0);
                let words: Vec<String> = words.map(|(count, word)| format!("{count} {word}")).collect();
                if words.is_empty() { "no game was played".into() } else { words.join(", ") }
            }
        }
    }
}

impl SeenResult {
    /// The result of a game with this outcome for a seat.
    pub(crate) fn of(outcome: Outcome, seat: Seat) -> Self {
        match outcome {
            Outcome::Win(winner) if winner == seat => Self::Won,
            Outcome::Win(_) => Self::Lost,
            Outcome::Draw => Self::Drawn,
            Outcome::NoContest => Self::NotCounted,
        }
    }

    /// The result in a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Lost => "lost",
            Self::Drawn => "drawn",
            Self::NotCounted => "not counted",
        }
    }
}

/// The notices of a season: its dates and announcements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct SeasonNotice {
    /// The number of the season.
    pub season: u32,
    /// The time of the club, in seconds since 1970.
    pub now: i64,
    /// The reason why it takes no bots; `None` when it takes them.
    pub closed: Option<Line<300>>,
    /// Its dates.
    pub dates: Dates,
    /// The announcements, the latest first.
    pub announcements: Vec<NoticeText>,
}

/// An announcement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoticeText {
    /// The time at which it was made, in UTC.
    pub at: Line<32>,
    /// The text.
    pub text: String,
}

impl SeasonNotice {
    /// The dates and the announcements in lines, for an author.
    pub fn text(&self) -> Text {
        let dates = self.dates.set().map(|(what, time)| match time.left(self.now) {
            Some(left) => format!("{what} {time}: in {left}"),
            None => format!("{what} {time}: passed"),
        });
        let announcements = self.announcements.iter().map(|it| {
            let text = it.text.trim().replace('\n', "\n  ");
            format!("announced {}:\n  {text}", arena_pages::time_in_words(it.at.as_str()))
        });
        dates.chain(announcements).collect::<Vec<_>>().join("\n").into()
    }
}

/// The name that the pages show for an author.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct ShownAs {
    /// The name.
    pub shown_as: Line<48>,
}

/// The reason why a request was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Complaint {
    /// The reason.
    pub error: Line<300>,
    /// The next step.
    pub next: Line<300>,
}

impl Submitted {
    /// A version of the register, with its standing.
    pub fn new(version: &Version, standing: Option<Standing>) -> Self {
        let state = match version.state {
            _ if version.deleted_at.is_some() => SubmittedState::Deleted,
            VersionState::Waiting => SubmittedState::Waiting,
            VersionState::Refused if version.replaced_by.is_some() => SubmittedState::Replaced,
            VersionState::Refused => SubmittedState::Refused,
            VersionState::Faulted => SubmittedState::Faulted,
            VersionState::Admitted if version.disqualified.is_some() => SubmittedState::Disqualified,
            VersionState::Admitted if version.plays => SubmittedState::Plays,
            VersionState::Admitted if version.paused.is_some() => SubmittedState::Paused,
            VersionState::Admitted if version.is_draft => SubmittedState::Draft,
            VersionState::Admitted => SubmittedState::Superseded,
        };
        let finding = match (state, &version.disqualified, &version.paused) {
            (SubmittedState::Replaced, ..) => {
                let by = version.replaced_by.unwrap_or_default();
                format!(
                    "replaced: version {by} was submitted before this one was judged, and one version of an author waits\n  next: submit the same file again to have it judged"
                )
            }
            (SubmittedState::Disqualified, Some(reason), _) => {
                format!("disqualified: {reason}\n\n{}", version.finding)
            }
            (SubmittedState::Paused, _, Some(reason)) => {
                format!("paused: {reason}\n\n{}", version.finding)
            }
            (SubmittedState::Deleted, ..) => {
                let at = version.deleted_at.as_deref().map(arena_pages::time_in_words);
                format!("deleted at {}", at.unwrap_or_default())
            }
            _ => version.finding.clone(),
        };
        Self {
            id: version.id,
            version: version.number,
            sha256: version.sha256.as_str().into(),
            size_bytes: version.size,
            submitted_at: version.submitted_at.as_str().into(),
            state,
            published: version.published,
            finding,
            standing,
            awaits_games: state == SubmittedState::Plays,
            change: None,
            lost: Vec::new(),
            challenges: Vec::new(),
            next: Line::default(),
        }
    }
}

impl SubmittedState {
    /// The state in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Waiting => "waits to be judged; submit the same file again to see the verdict",
            Self::Refused => "refused",
            Self::Faulted => "at fault in its trial games, so it does not play",
            Self::Plays => "plays",
            Self::Superseded => "admitted, and another version plays",
            Self::Draft => "admitted as a draft: it does not play yet",
            Self::Paused => "paused because of its faults",
            Self::Disqualified => "admitted, and its author is disqualified",
            Self::Replaced => "replaced by a newer version before it was judged",
            Self::Deleted => "deleted; its games stay, and it plays only if it is submitted again",
        }
    }
}

/// The reason why a request has no result.
#[derive(Debug)]
pub enum Refused {
    /// The club has refused it.
    ByClub(Complaint),
    /// It could not be made, or has no answer.
    Failed(ClubError),
}

/// Submits the component in a file, and agrees that it is published if it `is_published`. One that `is_draft` does not play yet.
///
/// # Errors
/// The file cannot be read, the club cannot be reached, or the upload is refused.
pub fn submit(
    address: &Address,
    token: &str,
    bot: &Path,
    is_published: bool,
    is_draft: bool,
) -> Result<Submitted, Refused> {
    let file = arena_files::open(bot).map_err(|error| {
        let next = "name the component of a bot, a .wasm file";
        Refused::Failed(Error::unreadable(shown(bot), error, "bot", next).into())
    })?;
    let path = match (is_published, is_draft) {
        (false, false) => "/submit",
        (true, false) => "/submit?publish",
        (false, true) => "/submit?draft",
        (true, true) => "/submit?publish&draft",
    };
    ask(address, path, token, Message::Component(&file))
}

/// The state of a submission.
///
/// # Errors
/// The club cannot be reached, or refuses the request.
pub fn submission(address: &Address, token: &str, id: i64) -> Result<Submitted, Refused> {
    ask(address, &format!("/submissions/{id}"), token, Message::Get)
}

/// Challenges the bot of another author with a version: they play games that count for nothing.
///
/// # Errors
/// The club cannot be reached, or refuses the request: another challenge waits, for example.
pub fn challenge(address: &Address, token: &str, id: i64, opponent: &str) -> Result<Submitted, Refused> {
    ask(address, &format!("/submissions/{id}/challenges"), token, Message::Text(opponent))
}

/// Deletes the component of a version that has not played, and returns the version as it is then.
///
/// # Errors
/// The club cannot be reached, or refuses the request: the version has played, for example.
pub fn delete(address: &Address, token: &str, id: i64) -> Result<Submitted, Refused> {
    ask(address, &format!("/submissions/{id}"), token, Message::Delete)
}

/// All versions of an author, the latest first.
///
/// # Errors
/// The club cannot be reached, or refuses the request.
pub fn mine(address: &Address, token: &str) -> Result<Vec<Submitted>, Refused> {
    ask(address, "/mine", token, Message::Get)
}

/// Has the pages show this name for the author, in place of the own one. The own name, or an empty one, takes it back.
///
/// # Errors
/// The club cannot be reached, or refuses the request: another author has a name that looks like it, for example.
pub fn choose_pseudonym(address: &Address, token: &str, name: &str) -> Result<ShownAs, Refused> {
    ask(address, "/mine/pseudonym", token, Message::Text(name))
}

/// The notices of the season that the club plays.
///
/// # Errors
/// The club cannot be reached, or refuses the request.
pub fn season(address: &Address, token: &str) -> Result<SeasonNotice, Refused> {
    ask(address, "/api/v1/season", token, Message::Get)
}

fn ask<T: DeserializeOwned>(
    address: &Address,
    path: &str,
    token: &str,
    message: Message<'_>,
) -> Result<T, Refused> {
    let answered = request(address, path, token, message).map_err(|error| {
        let next = "check the address and the connection, and that the club is served";
        Refused::Failed(Error::machine("the club cannot be reached", error, next).into())
    })?;
    let stranger = || Refused::Failed(ClubError::NotAClub { status: answered.status.as_u16() });
    if answered.status == StatusCode::OK {
        return serde_json::from_slice(&answered.content).map_err(|_| stranger());
    }
    Err(serde_json::from_slice(&answered.content).map_or_else(|_| stranger(), Refused::ByClub))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_challenge_is_told_by_its_progress_and_the_results_that_it_has() {
        use SeenResult::{Drawn, Lost, NotCounted, Won};
        let words = |progress, results: &[SeenResult]| {
            let game = |result| SeenGame {
                number: 1,
                seat: 1,
                result,
                ending: "all ships are sunk".into(),
                turns: 1,
                faults: 0,
            };
            let games = results.iter().copied().map(game).collect();
            let opponent = "ben".into();
            SeenChallenge {
                id: 1,
                asked: true,
                opponent,
                opponent_version: 1,
                asked_at: "".into(),
                progress,
                games,
            }
            .words()
        };
        assert_eq!(words(ChallengeProgress::Waiting, &[]), "waits for its turn");
        assert_eq!(words(ChallengeProgress::Failed, &[]), "could not be played");
        for (results, expected) in [
            (&[][..], "no game was played"),
            (&[Won], "1 won"),
            (&[Lost, Won, Lost], "1 won, 2 lost"),
            (&[NotCounted, Drawn, Lost, Won], "1 won, 1 drawn, 1 lost, 1 not counted"),
        ] {
            assert_eq!(words(ChallengeProgress::Played, results), expected);
        }
    }
}
