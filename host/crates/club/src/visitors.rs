//! Visitors, who play against the bots of a club in a browser. Their games are in no journal, and count for nothing.

use crate::club::Club;
use crate::error::ClubError;
use crate::own_page::{AnswerPage, OwnPage, root_of};
use crate::state::State;
use crate::uploads::Refusal;
use arena_engine::internals::{plan, seed};
use arena_engine::{GameOptions, Sandbox};
use arena_players::Contestant;
use arena_rules::{GameRules, Seat};
use arena_web::{Client, NoGame, Opponent, Rooms, is_own};
use askama::Template;
use axum::Router;
use axum::extract::{self, Extension, Path};
use axum::http::header::{HeaderMap, LOCATION};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;
use tokio::task::spawn_blocking;

/// The name of a visitor in a game.
const VISITOR: &str = "visitor";

/// What the games of visitors need.
struct Visitors {
    state: Arc<State>,
    rooms: Arc<Rooms>,
    sandbox: Sandbox,
    rules: GameRules,
    game: GameOptions,
}

/// The page on which a game begins.
#[derive(Template)]
#[template(path = "visit.html")]
struct VisitPage {
    root: String,
    bot: String,
}

/// The answers for visitors who play; none if the club does not let them.
pub(crate) fn routes(club: &Club, sandbox: &Sandbox) -> Router {
    let state = &club.state;
    let games_max = club.options.visitors_max;
    if games_max == 0 || club.is_over {
        return Router::new();
    }
    let rooms = Arc::clone(state.rooms.get_or_init(|| Arc::new(Rooms::of_visitors(games_max))));
    let visitors = Visitors {
        state: Arc::clone(state),
        rooms: Arc::clone(&rooms),
        sandbox: sandbox.clone(),
        rules: club.rules.clone(),
        game: club.options.game.clone(),
    };
    Router::new()
        .route("/play/bot/{sha256}", get(page).post(begin))
        .with_state(Arc::new(visitors))
        .merge(arena_web::routes(&rooms))
}

impl Visitors {
    /// A bot that plays in the season, by the names that the pages show. One that no page shows yet has only its label.
    fn bot(&self, sha256: &str) -> Result<Contestant, Refusal> {
        let mut contestant = self.state.admitted(sha256).ok_or_else(|| {
            let next = "choose one in the standings, or try again in a minute if it is new";
            Refusal::new(StatusCode::NOT_FOUND, "This bot does not play now", next)
        })?;
        let contest = self.state.live.contest();
        let shown =
            contest.iter().flat_map(|contest| &contest.bots).find(|bot| bot.sha256.as_str() == sha256);
        if let Some(shown) = shown {
            contestant.id.clone_from(shown);
        }
        Ok(contestant)
    }

    /// The opponent in a visitor's games. Their seed has nothing to do with the season's.
    fn opponent(&self, contestant: Contestant) -> Result<Opponent, ClubError> {
        let (rules, engine) = (Some(self.rules.clone()), self.sandbox.engine_hash());
        let seed = seed::given_or_fresh(None)?;
        let plan = plan::plan(&self.game, rules, engine, std::slice::from_ref(&contestant), seed)?;
        let sandbox = self.sandbox.clone();
        Ok(Opponent { sandbox, contestant, plan, person: VISITOR.into(), seat: Seat::First })
    }
}

async fn page(
    extract::State(visitors): extract::State<Arc<Visitors>>,
    Path(sha256): Path<String>,
    uri: Uri,
) -> Response {
    match visitors.bot(&sha256) {
        Ok(contestant) => {
            let bot = arena_text::line(contestant.id.label.as_str(), 60);
            OwnPage(StatusCode::OK, VisitPage { root: root_of(&uri), bot }).into_response()
        }
        Err(refusal) => AnswerPage::refusal(root_of(&uri), refusal).into_response(),
    }
}

async fn begin(
    extract::State(visitors): extract::State<Arc<Visitors>>,
    Path(sha256): Path<String>,
    Extension(Client(client)): Extension<Client>,
    headers: HeaderMap,
    uri: Uri,
) -> Response {
    let begun = async {
        if !is_own(&headers) {
            let next = "begin it on the page of the bot";
            return Err(Refusal::new(StatusCode::FORBIDDEN, "Another site has begun this game", next));
        }
        let contestant = visitors.bot(&sha256)?;
        let begin = move || -> Result<Result<String, NoGame>, ClubError> {
            Ok(visitors.rooms.begin(visitors.opponent(contestant)?, client))
        };
        let begun = spawn_blocking(begin).await.map_err(|_| Refusal::of_club())?;
        begun?.map_err(|no_game| {
            let (status, what) = no_game.answer();
            Refusal::new(status, what.trim_end_matches('.'), "look at the replays meanwhile")
        })
    };
    match begun.await {
        Ok(id) => (StatusCode::SEE_OTHER, [(LOCATION, format!("../{id}/"))]).into_response(),
        Err(refusal) => AnswerPage::refusal(root_of(&uri), refusal).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use crate::club::ClubOptions;
    use crate::support::{bot, club};

    #[test]
    fn a_visitor_may_play_a_bot_that_plays_in_the_season_and_no_other() {
        let it = club(ClubOptions { visitors_max: 1, ..ClubOptions::default() });
        let ann = it.admit(&it.author("ann"), &bot("builtin:random", 10));
        let page = format!("/play/bot/{}", ann.sha256);
        let (status, answer) = it.get(&page);
        assert!(status == 404 && answer.contains("This bot does not play now"), "{status} {answer}");
        it.admit(&it.author("ben"), &bot("builtin:hunter", 10));
        it.play();
        let (status, answer) = it.get(&page);
        assert!(status == 200 && answer.contains("<h1>Play <bdi>author.1</bdi></h1>"), "{status} {answer}");
        assert_eq!(it.get("/play/bot/00").0, 404);
        let it = it.again(ClubOptions { visitors_max: 0, ..ClubOptions::default() });
        it.play();
        assert_eq!(it.get(&page).0, 404, "the club lets no visitors play");
    }
}
