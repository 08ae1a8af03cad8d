//! The dates of a season and what its organiser announces, by the program. The program takes its time from a variable.

use super::{Served, club};
use crate::support::{Place, command};

/// Serves the club at a time of Monday, 2026-09-07, or of another day after it.
fn serve_at<'a>(place: &'a Place, days: i64, hour: i64) -> Served<'a> {
    let args = ["club", "serve", "--data", "club", "--listen", "127.0.0.1:0", "--jobs", "1", "--games", "4"];
    let mut command = command(place.folder(), &args);
    let monday = 1_788_739_200;
    command.env("SOURCE_DATE_EPOCH", (monday + 86_400 * days + 3_600 * hour).to_string());
    Served::of(place, &mut command)
}

#[test]
fn a_season_with_dates_takes_bots_before_its_start_plays_from_it_and_takes_none_after_its_freeze() {
    let place = club();
    let dates = "--start 2026-09-07T10:00+02:00 --freeze 2026-09-08T10:00+02:00 --end 2026-09-09T10:00+02:00";
    let said = place.arena(&format!("club season dates --data club {dates}")).expect_code(0).stdout;
    assert_eq!(
        said,
        "season 1:\n  games from Monday 2026-09-07 10:00 (UTC+02:00), which is 2026-09-07 08:00:00 UTC\n  \
         bots until Tuesday 2026-09-08 10:00 (UTC+02:00), which is 2026-09-08 08:00:00 UTC\n  \
         games until Wednesday 2026-09-09 10:00 (UTC+02:00), which is 2026-09-09 08:00:00 UTC\n"
    );
    let args = ["club", "announce", "Bring <i>sweets</i>.\n\nhttps://example.org/a", "--data", "club"];
    crate::support::Run::of(&mut command(place.folder(), &args)).expect_code(0);
    let served = serve_at(&place, 0, 7);
    for (bot, author) in [("sweeper", "ann"), ("hunter", "ben")] {
        served.submit(&format!("{bot}.wasm"), author).expect_code(0);
    }
    let mine = served.author("mine", "ann").expect_code(0).stderr;
    for part in ["games from Monday 2026-09-07 10:00 (UTC+02:00): in 60 minutes", "Bring <i>sweets</i>."] {
        assert!(mine.contains(part), "{mine}");
    }
    let page = served.get("/").expect(200).body;
    assert!(page.contains("No game has been played yet") && page.contains("&#60;i&#62;sweets"), "{page}");
    served.interrupt();

    let served = serve_at(&place, 0, 8);
    served.wait_for_games("ann", 4);
    let page = served.wait_for_page("/", "Announcements");
    let until = "bots until <time datetime=\"2026-09-08T08:00:00Z\">";
    assert!(page.contains(until) && page.contains("href=\"https://example.org/a\""), "{page}");
    assert!(served.get("/games/1.html").expect(200).body.contains(until));
    served.interrupt();

    let served = serve_at(&place, 1, 8);
    let refused = served.submit("random.wasm", "ann").expect_code(2).stderr;
    assert!(
        refused.contains("season 1 takes no bots: it is frozen since 2026-09-08 08:00:00 UTC"),
        "{refused}"
    );
    served.wait_for_page("/projector.html", "frozen since 2026-09-08");
    // A later date opens it again, while it is served.
    place.arena("club season dates --data club --freeze 2026-09-09T09:00+02:00").expect_code(0);
    served.submit("random.wasm", "ann").expect_code(0);
    served.interrupt();

    for (args, message) in [
        ("--start 2026-09-10T10:00+02:00", "the dates are not in their order"),
        ("--end soon", "is not a date with a time and the offset of its time zone"),
        ("--end 2026-09-09T10:00", "choose a date such as 2026-12-18T23:59+01:00, or none"),
    ] {
        let refused = place.arena(&format!("club season dates --data club {args}")).expect_code(2).stderr;
        assert!(refused.contains(message), "{refused}");
    }
    place.arena("club season dates --data club --start none --freeze none --end none").expect_code(0);
    let said = place.arena("club season dates --data club").expect_code(0).stdout;
    assert_eq!(said, "season 1 has no dates\n");
}
