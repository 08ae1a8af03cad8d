//! The documents of a club for programs, below `/api/v1/`. They have what the pages show, and nothing of an author alone.

use crate::announcements::closed_and_notices;
use crate::answers::{Document, file};
use crate::requests::{NoticeText, SeasonNotice, SeenResult};
use crate::state::State;
use crate::uploads::Refusal;
use arena_engine::Rating;
use arena_pages::{Contest, Game, RankedBot};
use arena_record::Label;
use arena_rules::Seat;
use arena_store::Announcement;
use arena_text::Line;
use axum::Router;
use axum::extract::{self, Path};
use axum::http::StatusCode;
use axum::routing::get;
use serde::Serialize;
use std::sync::Arc;

/// The description of the documents, in the form of OpenAPI.
const DESCRIPTION: &str = include_str!("../assets/openapi.json");

/// The paths.
pub(crate) fn routes() -> Router<Arc<State>> {
    Router::new()
        .route("/api/v1/season", get(season))
        .route("/api/v1/standings", get(standings))
        .route("/api/v1/bots/{bot}", get(bot))
        .route("/api/v1/games/{number}", get(game))
        .route("/api/v1/openapi.json", get(|| async { file("openapi.json", DESCRIPTION) }))
}

/// A bot in the standings.
#[derive(Serialize)]
struct BotStanding {
    place: Option<u32>,
    bot: Label,
    sha256: String,
    plays: bool,
    #[serde(flatten)]
    rating: Rating,
    points: f64,
    games: u32,
    faults: u32,
}

/// A bot with its latest games.
#[derive(Serialize)]
struct BotDocument {
    #[serde(flatten)]
    standing: BotStanding,
    /// The numbers of its latest games, the latest first.
    games_listed: Vec<usize>,
}

/// A game.
#[derive(Serialize)]
struct GameDocument {
    number: usize,
    stage: Option<u32>,
    at: Option<i64>,
    ended_by: String,
    seats: [SeatDocument; 2],
    replay: Option<String>,
}

/// A bot in a game.
#[derive(Serialize)]
struct SeatDocument {
    bot: Label,
    sha256: String,
    result: SeenResult,
    turns: u32,
    fuel: u64,
    faults: u32,
}

/// The most games of a bot that are listed. Chosen: as many as an author's page has.
const GAMES_LISTED: usize = 100;

fn standing(contest: &Contest, row: &RankedBot) -> BotStanding {
    let (bot, score) = (&contest.bots[row.score.contestant], &row.score);
    BotStanding {
        place: row.place,
        bot: bot.label.clone(),
        sha256: bot.sha256.to_string(),
        plays: !row.has_left(),
        rating: row.rating.unwrap_or_default(),
        points: score.points(),
        games: score.games,
        faults: score.faults,
    }
}

/// The refusal of a document about something that is not there.
fn none(what: &str) -> Refusal {
    Refusal::new(
        StatusCode::NOT_FOUND,
        format!("there is no such {what}"),
        "look for it in /api/v1/standings",
    )
}

/// A bot of the season, by its label.
async fn bot(
    extract::State(state): extract::State<Arc<State>>,
    Path(label): Path<String>,
) -> Result<Document<BotDocument>, Refusal> {
    let contest = state.contest()?.ok_or_else(|| none("bot"))?;
    let is_it = |row: &&RankedBot| contest.bots[row.score.contestant].label.as_str() == label;
    let row = contest.standings.iter().find(is_it).ok_or_else(|| none("bot"))?;
    let of_bot = |game: &&Game| game.played().is_some() && game.seats.contains(&row.score.contestant);
    let games = contest.games.iter().rev().filter(of_bot).take(GAMES_LISTED);
    let games_listed = games.map(|game| game.number).collect();
    Ok(Document(StatusCode::OK, BotDocument { standing: standing(&contest, row), games_listed }))
}

/// A game of the season, by its number.
async fn game(
    extract::State(state): extract::State<Arc<State>>,
    Path(number): Path<String>,
) -> Result<Document<GameDocument>, Refusal> {
    let contest = state.contest()?.ok_or_else(|| none("game"))?;
    let game = contest.games.iter().find(|game| game.number.to_string() == number);
    let (game, result) = game.and_then(|game| Some((game, game.played()?))).ok_or_else(|| none("game"))?;
    let seat = |seat: Seat| {
        let bot = &contest.bots[game.seats[seat.index()]];
        SeatDocument {
            bot: bot.label.clone(),
            sha256: bot.sha256.to_string(),
            result: SeenResult::of(result.outcome, seat),
            turns: result.turns[seat.index()],
            fuel: result.fuel[seat.index()],
            faults: result.fault_count(seat),
        }
    };
    let document = GameDocument {
        number: game.number,
        stage: game.stage,
        at: game.at,
        ended_by: result.reason.to_string(),
        seats: Seat::BOTH.map(seat),
        replay: game.stage.map(|stage| format!("game/{}/{stage}/{number}", state.season)),
    };
    Ok(Document(StatusCode::OK, document))
}

/// The standings as the pages have them.
async fn standings(
    extract::State(state): extract::State<Arc<State>>,
) -> Result<Document<Vec<BotStanding>>, Refusal> {
    let contest = state.contest()?;
    let rows = contest.iter().flat_map(|contest| contest.standings.iter().map(|row| standing(contest, row)));
    Ok(Document(StatusCode::OK, rows.collect()))
}

async fn season(
    extract::State(state): extract::State<Arc<State>>,
) -> Result<Document<SeasonNotice>, Refusal> {
    let notice = state.blocking(|state| {
        let now = state.now();
        let (_, notices) = state.register(|register| closed_and_notices(register, now))?;
        let text = |Announcement { at, text, .. }| NoticeText { at: at.into(), text };
        Ok(SeasonNotice {
            season: state.season,
            now,
            closed: state.closed()?.map(Line::from),
            dates: notices.dates,
            announcements: notices.announcements.into_iter().map(text).collect(),
        })
    });
    Ok(Document(StatusCode::OK, notice.await?))
}

#[cfg(test)]
mod tests {
    use crate::club::ClubOptions;
    use crate::support::{Setting, bot, club};
    use serde_json::Value;

    /// Checks that a document is of a schema, and has all its properties and no other.
    fn check(described: &Value, schema: &Value, document: &Value, place: &str) {
        if let Some(name) = schema["$ref"].as_str() {
            let name = name.strip_prefix("#/components/schemas/").expect("it is one of the schemas");
            return check(described, &described["components"]["schemas"][name], document, place);
        }
        let kind = match document {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(number) if number.is_f64() => "number",
            Value::Number(_) => "integer",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        let kinds = match &schema["type"] {
            Value::Array(kinds) => kinds.clone(),
            kind => vec![kind.clone()],
        };
        let is_so = kinds.iter().any(|it| it == kind || it == "number" && kind == "integer");
        assert!(is_so, "{place} is {kind}, and {kinds:?} is described");
        for (index, item) in document.as_array().into_iter().flatten().enumerate() {
            check(described, &schema["items"], item, &format!("{place}[{index}]"));
        }
        let Some(fields) = document.as_object() else { return };
        let properties = schema["properties"].as_object().expect("an object has properties");
        let names = |fields: &serde_json::Map<String, Value>| fields.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(fields), names(properties), "{place}");
        for (name, value) in fields {
            check(described, &properties[name], value, &format!("{place}.{name}"));
        }
    }

    fn document(it: &Setting, path: &str) -> Value {
        let (status, text) = it.get(path);
        assert_eq!(status, 200, "{path}: {text}");
        serde_json::from_str(&text).expect("it is a document")
    }

    /// An author whose name runs from right to left: documents have it as it is.
    const ANN: &str = "חנה";
    const ANN_IN_ADDRESS: &str = "%D7%97%D7%A0%D7%94";

    #[test]
    fn the_documents_are_as_they_are_described_before_and_after_games() {
        let it = club(ClubOptions::default());
        let described = document(&it, "/api/v1/openapi.json");
        let paths = described["paths"].as_object().expect("it has paths");
        let check_all = || {
            for (path, methods) in paths {
                // There is no bot and no game yet.
                if path.contains('{') && !it.club.state.has_played() {
                    continue;
                }
                let path = &path.replace("{bot}", ANN_IN_ADDRESS).replace("{number}", "3");
                let answer = &methods["get"]["responses"]["200"]["content"]["application/json"]["schema"];
                check(&described, answer, &document(&it, path), path);
            }
        };
        check_all();
        assert_eq!(document(&it, "/api/v1/standings"), Value::Array(Vec::new()));
        it.folder.announce("a text").expect("it is short");
        let [ann, ben] = [ANN, "ben"].map(|name| it.author(name));
        it.admit(&ann, &bot("builtin:random", 10));
        it.admit(&ben, &bot("builtin:hunter", 10));
        it.play();
        it.write_pages(1);
        let date = "2026-12-18T18:00+01:00".parse().ok();
        it.folder.change_dates(|dates| dates.freeze = date).expect("it is the only one");
        it.folder.freeze(true).expect("it is open");
        check_all();
        let standings = document(&it, "/api/v1/standings");
        let rows: Vec<_> =
            standings.as_array().expect("a list").iter().map(|it| (&it["place"], &it["bot"])).collect();
        assert_eq!(rows, [(&1.into(), &"ben".into()), (&2.into(), &ANN.into())]);
        let ann = document(&it, &format!("/api/v1/bots/{ANN_IN_ADDRESS}"));
        assert_eq!(ann["games_listed"], serde_json::json!([4, 3, 2, 1]));
        for field in ["place", "elo", "games", "sha256"] {
            assert_eq!(ann[field], standings[1][field], "{field}");
        }
        let game = document(&it, "/api/v1/games/3");
        let results = [0, 1].map(|seat| (&game["seats"][seat]["bot"], &game["seats"][seat]["result"]));
        assert!(results.contains(&(&"ben".into(), &"won".into())), "the hunter wins: {game}");
        assert!(results.contains(&(&ANN.into(), &"lost".into())), "{game}");
        for missing in ["bots/cat", "games/5", "games/0", "games/03", "games/x"] {
            assert_eq!(it.get(&format!("/api/v1/{missing}")).0, 404, "{missing}");
        }
    }

    #[test]
    fn a_bot_that_has_left_has_no_place_anywhere_and_the_next_one_has_it() {
        let it = club(ClubOptions::default());
        let bots = [("ann", "builtin:random"), ("ben", "builtin:hunter"), ("cat", "builtin:random")];
        let admit = |(name, bot_of): (&str, &str)| {
            it.admit(
                &it.author(name),
                &bot(bot_of, name.len() + name.bytes().map(usize::from).sum::<usize>()),
            )
        };
        bots.into_iter().for_each(|it| drop(admit(it)));
        it.play();
        assert!(it.folder.revoke("ben").is_ok());
        admit(("dan", "builtin:hunter"));
        it.play();
        it.write_pages(1);
        let document = document(&it, "/api/v1/standings");
        let rows: Vec<(&str, Option<u32>)> = document
            .as_array()
            .expect("a list")
            .iter()
            .map(|it| (it["bot"].as_str().expect("a name"), it["place"].as_u64().map(|place| place as u32)))
            .collect();
        let mut places: Vec<Option<u32>> = rows.iter().map(|(_, place)| *place).collect();
        assert!(rows.contains(&("ben", None)), "{rows:?}");
        places.sort_unstable();
        assert_eq!(places, [None, Some(1), Some(2), Some(3)]);
        let marks = it.folder.marks(None).expect("there are games");
        for (name, place) in rows {
            let marked = marks.iter().find(|it| it.author == name).expect("it is an author");
            let versions =
                it.club.state.register(|register| register.versions_of(name)).expect("it is known");
            let standing = it.club.state.standing(&versions[0].sha256).expect("it has played");
            let marked = marked.standing.as_ref().expect("it has played");
            assert_eq!((marked.place, standing.place), (place, place), "{name}");
        }
        let (_, front) = it.get("/");
        assert!(
            front.contains("<td class=\"n\" data-by=\"1\">") && front.contains(">–</td><th scope=\"row\">"),
            "{front}"
        );
    }
}
