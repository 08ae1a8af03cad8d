//! Seasons that are over: their addresses last, and authors see their own games and logs of them.

use super::live::{data_of, page_of};
use super::{Served, Session, club, until};
use crate::support::Place;
use std::fs;

/// The games of the first season.
const GAMES: u64 = 8;

/// A game of which the pages of that season have no replay.
const WITHOUT_REPLAY: u64 = 5;

/// A club whose first season is over, and what its addresses led to.
struct Earlier {
    place: Place,
    /// The component of `ben`, who plays in no later season.
    sha256: String,
    /// The addresses of two games with their replays, one of which the pages have.
    games: Vec<(String, String)>,
    /// The last game's log of the bot of `ann`.
    log: String,
}

impl Earlier {
    fn new() -> Self {
        let place = club();
        let served = Served::start(&place, &format!("--games {GAMES} --rules small.toml --title Autumn"));
        served.submit("log-half-lines.wasm", "ann").expect_code(0);
        let sha256 = served.submit("hunter.wasm", "ben").expect_code(0).json()["sha256"].clone();
        served.wait_for_games("ann", GAMES);
        served.wait_for_page("/", &format!("all {GAMES} games played"));
        let games = [1, WITHOUT_REPLAY].into_iter().map(|number| {
            let page = served.get(&format!("/games/{number}.html")).expect(200).body;
            let (_, rest) = page.split_once("href=\"../game/").expect("it names an address that stays");
            let address = format!("/game/{}", rest.split('"').next().expect("it ends"));
            (address, data_of(&page).to_owned())
        });
        let games = games.collect();
        let log = Session::of(&served, "ann").get(&format!("{GAMES}.txt")).expect(200).body;
        served.interrupt();
        place.arena("club season reveal --data club --title Autumn").expect_code(0);
        place.arena("club season new --data club").expect_code(0);
        // The pages of a long season have replays of some games only.
        for kind in ["html", "gif"] {
            let file = format!("club/seasons/1/site/games/{WITHOUT_REPLAY}.{kind}");
            fs::remove_file(place.path(&file)).expect("it is there");
        }
        place.arena("club revoke ben --data club").expect_code(0);
        let invited = place.arena("club invite cat --data club").expect_code(0).stdout;
        place.write("cat", invited);
        Self { place, sha256: sha256.as_str().expect("it is a text").to_owned(), games, log }
    }

    /// Requires that what was shared leads to the season that is over.
    fn expect_addresses(&self, served: &Served<'_>) {
        let of_bot = page_of(served, "/bot/ben");
        assert!(of_bot.starts_with("/seasons/1/bots/"), "{of_bot}");
        assert_eq!(page_of(served, &format!("/version/{}", self.sha256)), of_bot);
        assert!(served.get(&of_bot).expect(200).body.contains(&self.sha256));
        for (address, data) in &self.games {
            let page = page_of(served, address);
            assert!(page.starts_with("/seasons/1/games/"), "{page}");
            let shown = served.get(&page).expect(200).body;
            assert!(data_of(&shown) == data, "{address} shows another game");
            let picture = served.get(&page.replace(".html", ".gif")).expect(200);
            assert!(picture.head.contains("content-type: image/gif"), "{}", picture.head);
        }
    }
}

#[test]
fn addresses_and_own_logs_of_a_season_that_is_over_last_and_its_pages_are_made_again() {
    let it = Earlier::new();
    let served = Served::start(&it.place, "--games 4 --title Winter");
    // Before the first game of the next season, and after it.
    it.expect_addresses(&served);
    let waiting = served.get("/").expect(200).body;
    assert!(waiting.contains("No game has been played yet") && waiting.contains("href=\"seasons/1/\""));
    assert!(page_of(&served, "/bot/ann").starts_with("/seasons/1/bots/"));
    served.submit("sweeper.wasm", "cat").expect_code(0);
    served.wait_for_games("ann", 4);
    served.wait_for_page("/", "all 4 games played");
    it.expect_addresses(&served);
    assert!(page_of(&served, "/bot/ann").starts_with("/bots/"), "it plays in this season");
    assert!(served.get("/season.html").expect(200).body.contains("href=\"seasons/1/\""));
    let answer = served.get("/seasons/1/seasons/1/").expect(302);
    assert!(answer.head.contains("location: ../../../../seasons/1/\r\n"), "{}", answer.head);
    for wrong in ["/bot/eve", "/version/0", "/game/3/1/1", "/game/0/1/1", "/game/1/x/1", "/game/1/1/-1"] {
        let answer = served.get(wrong).expect(404);
        assert!(answer.head.contains("text/html") && answer.body.contains("in the standings"), "{wrong}");
    }
    for wrong in ["9999999.html", "01.html", "9999999.gif"] {
        for season in ["1", "2", "0"] {
            served.get(&format!("/seasons/{season}/games/{wrong}")).expect(404);
        }
    }
    served.get("/seasons/2/games/1.html").expect(404);

    // The author of a bot sees its games of then, with its logs.
    let [ann, cat] = ["ann", "cat"].map(|author| Session::of(&served, author));
    assert!(ann.get("").expect(200).body.contains("href=\"seasons/1/\""));
    let own = ann.get("seasons/1/").expect(200).body;
    for part in [
        format!("The latest {GAMES} of {GAMES}"),
        format!("href=\"games/{GAMES}.txt\""),
        "href=\"../../../style.css\"".to_owned(),
    ] {
        assert!(own.contains(&part), "{part} is not in {own}");
    }
    assert_eq!(ann.get(&format!("seasons/1/games/{GAMES}.txt")).expect(200).body, it.log);
    let replay = ann.get(&format!("seasons/1/games/{GAMES}.html")).expect(200).body;
    assert!(replay.contains("Log of <bdi>ann</bdi>") && replay.contains("Winter, season 1"), "{replay}");
    // The links of the replay lead to the season.
    for (path, to) in [
        ("style.css", "../../../seasons/1/style.css"),
        ("bots/1.html", "../../../../seasons/1/bots/1.html"),
        ("games/1.gif", "../../../../seasons/1/games/1.gif"),
    ] {
        let answer = ann.get(&format!("seasons/1/{path}")).expect(302);
        assert!(answer.head.contains(&format!("location: {to}\r\n")), "{path}: {}", answer.head);
        served.get(&format!("/{}", to.trim_start_matches("../"))).expect(200);
    }
    // Another author sees that there are games, and no log of them.
    assert!(cat.get("seasons/1/").expect(200).body.contains("None of your bots has played"));
    let of_other = cat.get(&format!("seasons/1/games/{GAMES}.txt")).expect(404).body;
    for file in ["9999.txt", "1.html", "x.html", "..%2f1.txt"] {
        assert_eq!(cat.get(&format!("seasons/1/games/{file}")).expect(404).body, of_other, "{file}");
    }
    served.get("/me/seasons/1/").expect(401);
    served.get(&format!("/me/seasons/1/games/{GAMES}.txt")).expect(401);
    for wrong in ["0", "2", "01", "x", "4294967297"] {
        ann.get(&format!("seasons/{wrong}/")).expect(404);
        ann.get(&format!("seasons/{wrong}/games/1.html")).expect(404);
    }
    for path in ["season.db", "..%2fseason.db", "logs/x", "games/..%2f..%2fseason.db"] {
        ann.get(&format!("seasons/1/{path}")).expect(404);
    }
    served.interrupt();

    // As in a club that was restored from a backup.
    for folder in ["site", "logs"] {
        fs::remove_dir_all(it.place.path(&format!("club/seasons/1/{folder}"))).expect("it is there");
    }
    let served = Served::start(&it.place, "--games 4");
    let index = it.place.path("club/seasons/1/site/index.html");
    assert!(until(|| index.exists()), "the pages are not made");
    let is_early = || served.get("/bot/ben").head.starts_with("HTTP/1.1 503");
    assert!(until(|| !is_early()), "the pages of today are not written");
    it.expect_addresses(&served);
    assert!(served.get("/seasons/1/").expect(200).body.contains("season 1"));
    let ann = Session::of(&served, "ann");
    assert!(ann.get("seasons/1/").expect(200).body.contains(&format!("The latest {GAMES} of {GAMES}")));
    let none = ann.get(&format!("seasons/1/games/{GAMES}.txt")).expect(404).body;
    assert!(none.contains("there is no log of your bot"), "{none}");
    assert!(ann.get(&format!("seasons/1/games/{GAMES}.html")).expect(200).body.contains("id=\"replay\""));
}
