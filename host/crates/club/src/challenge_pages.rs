//! The replays of challenges, for both authors only, each with the log of their own bot.

use crate::answers;
use crate::author_page::SignedIn;
use crate::challenges::{self, Recorded};
use crate::logs::Logs;
use crate::own_page::{AnswerPage, root_of};
use crate::state::State;
use crate::uploads::Refusal;
use arena_engine::Error;
use arena_engine::internals::logs::Logs as GameLogs;
use arena_pages::{SiteOptions, StoredContest};
use arena_rules::Seat;
use arena_store::{Author, Challenge};
use axum::Router;
use axum::extract::{Path, State as Of};
use axum::http::header::LOCATION;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;

/// The paths of the replays, for both authors.
pub(crate) fn routes() -> Router<Arc<State>> {
    Router::new().route("/me/challenges/{id}/{*path}", get(file))
}

/// The replay of a game of a challenge, at `games/NUMBER.html`, the log of the author's bot in it, at `games/NUMBER.txt`, or the way to what a
/// replay has links to.
async fn file(
    Of(state): Of<Arc<State>>,
    SignedIn { author, .. }: SignedIn,
    Path((id, path)): Path<(String, String)>,
    address: Uri,
) -> Response {
    let root = root_of(&address);
    let answer = async {
        let name = author.name.clone();
        let all = state.with_register(move |register| register.challenges_of(&name)).await?;
        let challenge = all.into_iter().find(|challenge| challenge.id.to_string() == id).ok_or_else(none)?;
        if let Some(name) = path.strip_prefix("games/") {
            return own_file(&state, &author, &challenge, name).await;
        }
        let found = |to: String| Ok((StatusCode::FOUND, [(LOCATION, format!("{root}{to}"))]).into_response());
        let bots = ["bots/1.html", "bots/2.html"].map(|page| page == path);
        match bots.iter().position(|is| *is) {
            Some(side) => found(format!("version/{}", challenge.sides[side].sha256)),
            None if arena_pages::asset(&path).is_some() => found(path),
            None => found("me/#challenges".into()),
        }
    };
    answer.await.unwrap_or_else(|refusal| AnswerPage::refusal(root.clone(), refusal).into_response())
}

/// The refusal of a game of a challenge that does not exist, or is of others: they do not differ.
fn none() -> Refusal {
    Refusal::new(
        StatusCode::NOT_FOUND,
        "there is no such game of yours",
        "choose one in the list of your challenges",
    )
}

async fn own_file(
    state: &Arc<State>,
    author: &Author,
    challenge: &Challenge,
    name: &str,
) -> Result<Response, Refusal> {
    let (number, kind) = name.split_once('.').ok_or_else(none)?;
    let recorded: Vec<Recorded> = serde_json::from_str(&challenge.games).unwrap_or_default();
    let game = recorded.iter().find(|game| game.number.to_string() == number).ok_or_else(none)?;
    let (number, first) = (game.number, game.first);
    let folder = state.folder.challenge(challenge.id);
    let (logs_of, sides, author) = (folder.join("logs"), challenge.sides.clone(), author.name.clone());
    let logs = state.blocking(move |_| {
        let logs = Logs::at(logs_of);
        let log = |seat: Seat| {
            let side = &sides[seat.index() ^ first];
            logs.read(&side.sha256, number).filter(|_| side.author == author)
        };
        Ok::<GameLogs, _>(Seat::BOTH.map(log))
    });
    let logs = logs.await?;
    match kind {
        "txt" => Ok(answers::file(name, logs.into_iter().flatten().next().ok_or_else(none)?)),
        "html" => {
            let what = format!("game {number} of challenge {}", challenge.id);
            let journal = folder.join(challenges::JOURNAL);
            let title = Some(format!("Challenge {}", challenge.id));
            let options = SiteOptions { title, ..SiteOptions::default() };
            let read =
                move || -> Result<_, Error> { StoredContest::read(&journal, &options)?.replay(number, logs) };
            let [page, _] = state.ask(what, move |_| Ok(read()?)).await?.ok_or_else(none)?;
            Ok(answers::file(name, page.bytes))
        }
        _ => Err(none()),
    }
}
