//! The games of a signed-in author's versions: the lists of them, and each with its replay and the log of the author's bot. Those of the
//! season that is played are at `me/NUMBER.html`, and those of a season that is over at `me/seasons/SEASON/games/NUMBER.html`.

use crate::addresses;
use crate::answers;
use crate::author_page::SignedIn;
use crate::logs::Logs;
use crate::own_page::{AnswerPage, OwnPage, root_of};
use crate::requests::SeenResult;
use crate::state::State;
use crate::uploads::Refusal;
use arena_engine::internals::logs::Logs as GameLogs;
use arena_pages::{Contest, Game};
use arena_rules::Seat;
use arena_store::{Author, Version, VersionState};
use askama::Template;
use axum::Router;
use axum::extract::{Path, State as Of};
use axum::http::header::LOCATION;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::collections::HashMap;
use std::sync::Arc;

/// The number of games in a list. Chosen: what an author looks through; a page of some 50 KB.
const LISTED: usize = 100;

/// The folder of the replays and logs, from the page of a season that is over: as in the pages of a report, so that their links hold.
const GAMES: &str = "games/";

/// The paths.
pub(crate) fn routes() -> Router<Arc<State>> {
    Router::new()
        .route("/me/{file}", get(of_game))
        .route("/me/seasons/{season}/", get(past_page))
        .route("/me/seasons/{season}/{*path}", get(of_past_season))
}

/// The lists of an author's games.
#[derive(Default, Template)]
#[template(path = "own_games.html")]
pub(crate) struct OwnGames {
    /// True if there are games, and their list is not made yet, because the club has just begun to be served.
    is_to_come: bool,
    faults: Vec<GameRow>,
    faults_count: usize,
    games: Vec<GameRow>,
    games_count: usize,
    /// The folder of the replays and logs, from the page.
    folder: &'static str,
}

/// A game in a list.
struct GameRow {
    number: usize,
    version: u32,
    seat: u8,
    opponent: String,
    result: &'static str,
    ending: String,
    turns: u32,
    has_log: bool,
    /// The faults of the author's bot; empty if there are none.
    fault: String,
}

/// The page of an author's games in a season that is over.
#[derive(Template)]
#[template(path = "past_games.html")]
struct PastPage {
    root: String,
    name: String,
    season: u32,
    own: OwnGames,
}

/// A seat of a game that an author's version has.
struct OwnSeat<'a> {
    game: &'a Game,
    seat: Seat,
    version: u32,
    sha256: &'a str,
}

impl OwnGames {
    /// No games yet: they are to come if some were played.
    pub(crate) fn none(is_to_come: bool) -> Self {
        Self { is_to_come, ..Self::default() }
    }

    /// The games of these versions, with their logs, in lists whose links lead to this folder.
    pub(crate) fn of(contest: &Contest, versions: &[Version], logs: &Logs, folder: &'static str) -> Self {
        let own = numbers(versions);
        let seats = contest.games.iter().rev().filter_map(|game| own_seat(contest, &own, game));
        let seats: Vec<OwnSeat<'_>> = seats.collect();
        let rows = |seats: &mut dyn Iterator<Item = &OwnSeat<'_>>| -> Vec<GameRow> {
            seats.take(LISTED).filter_map(|own| own.row(contest, logs)).collect()
        };
        Self {
            is_to_come: false,
            faults: rows(&mut seats.iter().filter(|own| own.is_fault())),
            faults_count: seats.iter().filter(|own| own.is_fault()).count(),
            games: rows(&mut seats.iter()),
            games_count: seats.len(),
            folder,
        }
    }
}

/// The numbers of an author's versions that have been admitted, by their SHA-256.
fn numbers(versions: &[Version]) -> HashMap<&str, u32> {
    let admitted = versions.iter().filter(|version| version.state == VersionState::Admitted);
    admitted.map(|version| (version.sha256.as_str(), version.number)).collect()
}

/// The author's seat in a game that was played.
fn own_seat<'a>(contest: &'a Contest, own: &HashMap<&str, u32>, game: &'a Game) -> Option<OwnSeat<'a>> {
    game.played()?;
    Seat::BOTH.into_iter().find_map(|seat| {
        let sha256 = contest.bots[game.seats[seat.index()]].sha256.as_str();
        Some(OwnSeat { game, seat, version: *own.get(sha256)?, sha256 })
    })
}

impl OwnSeat<'_> {
    /// True if the author's bot was at fault in the game.
    fn is_fault(&self) -> bool {
        self.game.played().is_some_and(|result| result.faults().keys().any(|(seat, _)| *seat == self.seat))
    }

    fn row(&self, contest: &Contest, logs: &Logs) -> Option<GameRow> {
        let &Self { game, seat, version, sha256 } = self;
        let result = game.played()?;
        let own = result.faults().iter().filter(|((of, _), _)| *of == seat);
        let faults: Vec<String> = own
            .map(|((_, class), fault)| match fault.first_turn {
                0 => format!("{class} in the deployment: {}", fault.detail.as_str()),
                turn => format!("{class} in turn {turn}: {}", fault.detail.as_str()),
            })
            .collect();
        Some(GameRow {
            number: game.number,
            version,
            seat: seat.into(),
            opponent: contest.bots[game.seats[seat.other().index()]].label.as_str().to_owned(),
            result: SeenResult::of(result.outcome, seat).word(),
            ending: result.reason.to_string(),
            turns: result.turns[seat.index()],
            has_log: logs.has(sha256, game.number),
            fault: faults.join("; "),
        })
    }
}

/// The refusal of a game that does not exist, or in which the author has not played: they do not differ.
fn no_game() -> Refusal {
    Refusal::new(
        StatusCode::NOT_FOUND,
        "there is no such game of yours",
        "choose one in the list of your games",
    )
}

/// The replay of an author's game with the log of the author's bot, and that log alone.
async fn of_game(
    Of(state): Of<Arc<State>>,
    SignedIn { author, .. }: SignedIn,
    Path(file): Path<String>,
) -> Response {
    let answer = async {
        let contest = state.contest()?.ok_or_else(no_game)?;
        own_file(&state, author, state.season, contest, &file).await
    };
    answer.await.unwrap_or_else(|refusal| AnswerPage::refusal("../".to_owned(), refusal).into_response())
}

/// The same of a season. The file is named by the number of the game.
async fn own_file(
    state: &Arc<State>,
    author: Author,
    season: u32,
    contest: Arc<Contest>,
    file: &str,
) -> Result<Response, Refusal> {
    let (number, kind) = file.split_once('.').ok_or_else(no_game)?;
    let number = number.parse::<usize>().map_err(|_| no_game())?;
    let versions = state.with_register(move |register| register.versions(&author)).await?;
    let own = numbers(&versions);
    let game = contest.games.binary_search_by_key(&number, |game| game.number).map_err(|_| no_game())?;
    let own = own_seat(&contest, &own, &contest.games[game]).ok_or_else(no_game)?;
    let (seat, sha256) = (own.seat, own.sha256.to_owned());
    let log = state.blocking(move |state| Ok(state.logs_of(season).read(&sha256, number))).await?;
    match kind {
        "txt" => {
            let log = log.ok_or_else(|| {
                Refusal::new(
                    StatusCode::NOT_FOUND,
                    format!("there is no log of your bot in game {number}"),
                    "it has printed nothing, or the game is an old one",
                )
            })?;
            Ok(answers::file(file, log))
        }
        "html" => {
            let mut logs = GameLogs::default();
            logs[seat.index()] = log;
            let made = state.replay(season, number, logs).await?.ok_or_else(no_game)?;
            let [page, _] = &*made;
            Ok(answers::file(file, page.bytes.clone()))
        }
        _ => Err(no_game()),
    }
}

/// The number of a season that is over.
fn past(state: &State, season: &str) -> Result<u32, Refusal> {
    let number = season.parse().ok().filter(|&number| state.is_past(number) && season == number.to_string());
    number.ok_or_else(|| {
        Refusal::new(StatusCode::NOT_FOUND, "there is no such season that is over", "choose one on your page")
    })
}

/// The page of an author's games in a season that is over.
async fn past_page(
    Of(state): Of<Arc<State>>,
    SignedIn { author, .. }: SignedIn,
    Path(season): Path<String>,
) -> Response {
    let root = "../../../".to_owned();
    let page = async {
        let season = past(&state, &season)?;
        let contest = state.past_contest(season).await?;
        let made = state.blocking(move |state| {
            let versions = state.register(|register| register.versions(&author))?;
            let own = OwnGames::of(&contest, &versions, &state.logs_of(season), GAMES);
            Ok((author.name, season, own))
        });
        made.await
    };
    match page.await {
        Ok((name, season, own)) => {
            OwnPage(StatusCode::OK, PastPage { root, name, season, own }).into_response()
        }
        Err(refusal) => AnswerPage::refusal(root, refusal).into_response(),
    }
}

/// A file below the page of a season that is over: an own game, or the way to what the season has for everybody.
async fn of_past_season(
    Of(state): Of<Arc<State>>,
    SignedIn { author, .. }: SignedIn,
    Path((season, path)): Path<(String, String)>,
    address: Uri,
) -> Response {
    let root = root_of(&address);
    let answer = async {
        let season = past(&state, &season)?;
        let file = path.strip_prefix(GAMES).filter(|file| !file.ends_with(".gif"));
        if let Some(file) = file {
            let contest = state.past_contest(season).await?;
            return own_file(&state, author, season, contest, file).await;
        }
        if arena_pages::is_of_a_site(&path) || addresses::is_of_club(&path) {
            let to = format!("{root}seasons/{season}/{path}");
            return Ok((StatusCode::FOUND, [(LOCATION, to)]).into_response());
        }
        Err(no_game())
    };
    answer.await.unwrap_or_else(|refusal| AnswerPage::refusal(root.clone(), refusal).into_response())
}
