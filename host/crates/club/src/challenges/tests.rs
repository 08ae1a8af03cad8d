//! Challenges between bots of a club, and what each author sees of them.

use super::{JOURNAL, Observed, TIME, play, rows, seen};
use crate::admission;
use crate::club::ClubOptions;
use crate::judging::Work;
use crate::requests::{ChallengeProgress, SeenChallenge, SeenResult};
use crate::support::{Setting, bot, club};
use crate::token;
use arena_engine::{Control, Observer, Results, Sandbox};
use arena_store::{Author, CHALLENGES_KEPT, Challenge, VersionState};
use axum::body::Body;
use axum::http::Request;
use axum::http::header::COOKIE;
use std::fs;
use std::time::{Duration, Instant};

fn challenge(it: &Setting, author: &Author, version: i64, opponent: &str) -> Result<(), u16> {
    let entered = it.wait(it.club.state.challenge(author, version, opponent.to_owned()));
    entered.map_err(|refusal| refusal.status.as_u16())
}

/// The challenge that the judge takes next, if it takes one.
fn next(it: &Setting) -> Option<Challenge> {
    let next = it.club.state.register(|register| admission::next(register, &Default::default()));
    match next.expect("it can be read") {
        Some(Work::Challenge(challenge)) => Some(challenge),
        _ => None,
    }
}

fn play_next(it: &Setting) {
    let waiting = next(it).expect("one waits");
    play(&it.club, &it.sandbox, &waiting).expect("it can be played");
}

/// The status and the text of a page of an author who is signed in.
fn page(it: &Setting, author: &str, path: &str) -> (u16, String) {
    let id = it.club.state.sessions.begin(token::hash(author)).expect("there are random numbers");
    let request = Request::get(format!("/me/{path}")).header(COOKIE, format!("arena_club={id}"));
    let answer = it.send(request.body(Body::empty()).expect("it is right"), "127.0.0.1");
    (answer.status().as_u16(), it.text(answer))
}

/// A club in which the bots of three authors have played.
fn played() -> (Setting, [Author; 3]) {
    let it = club(ClubOptions::default());
    let authors = ["ann", "ben", "cat"].map(|name| it.author(name));
    for (author, padding) in authors.iter().zip([10, 11, 12]) {
        it.admit(author, &bot(if padding == 11 { "builtin:hunter" } else { "builtin:random" }, padding));
    }
    it.play();
    (it, authors)
}

#[test]
fn a_challenge_changes_nothing_of_the_season_and_only_both_authors_see_it() {
    let (it, [ann, ..]) = played();
    let draft = it.admit_as(&ann, &bot("builtin:random", 20), true);
    let journal = fs::read(it.folder.journal()).expect("it is there");
    let standings = || {
        let of = |name: &str| it.club.state.versions_now(name).expect("they can be read");
        ["ann", "ben", "cat"].map(|name| of(name).into_iter().map(|it| it.standing).collect::<Vec<_>>())
    };
    let before = standings();
    assert_eq!(challenge(&it, &ann, draft.id, "ben"), Ok(()));
    play_next(&it);
    assert!(it.play().is_empty(), "nothing is to be played, and nothing has failed");
    assert!(journal == fs::read(it.folder.journal()).expect("it is there"), "the journal is as it was");
    assert_eq!(standings(), before);
    assert!(!it.version(draft.id).has_played && !it.version(draft.id).plays);

    let of = |name: &str, version: u32| {
        let all = it.club.state.versions_now(name).expect("they can be read");
        let version = all.into_iter().find(|it| it.version == version).expect("it is there");
        version.challenges
    };
    assert_eq!(of("ann", 2).len(), 1);
    let (own, other) = (of("ann", 2).remove(0), of("ben", 1).remove(0));
    assert!(own.asked && !other.asked && of("cat", 1).is_empty() && of("ann", 1).is_empty());
    assert_eq!((own.opponent.as_str(), own.opponent_version), ("ben", 1));
    assert_eq!((other.opponent.as_str(), other.opponent_version), ("ann", 2));
    assert_eq!((own.progress, own.games.len()), (ChallengeProgress::Played, 10));
    let count = |games: &[crate::requests::SeenGame], result| {
        games.iter().filter(|game| game.result == result).count()
    };
    let lost = count(&own.games, SeenResult::Lost);
    assert!(lost > 5, "the hunter wins: {}", own.words());
    assert_eq!(
        (count(&other.games, SeenResult::Won), other.words()),
        (lost, own.words().replace("lost", "won"))
    );
    for (own, other) in own.games.iter().zip(&other.games) {
        assert_eq!((own.number, own.seat + other.seat), (other.number, 3));
    }

    let game = format!("challenges/{}/games/3.html", own.id);
    it.with_replays(|| check_pages(&it, &own, &game));
}

/// Checks who sees the replay of a game of a challenge of ann to ben.
fn check_pages(it: &Setting, own: &SeenChallenge, game: &str) {
    for author in ["ann", "ben"] {
        let (status, replay) = page(it, author, game);
        assert!(status == 200 && replay.contains("id=\"replay\""), "{author}: {replay}");
        let seats = own.games[2].seat;
        let names = if seats == 1 {
            ["ann, version 2", "ben, version 1"]
        } else {
            ["ben, version 1", "ann, version 2"]
        };
        let title = format!("<bdi>{}</bdi> <span class=\"v\">v</span> <bdi>{}</bdi>", names[0], names[1]);
        assert!(replay.contains(&title), "{title}: {replay}");
        let (_, list) = page(it, author, "");
        assert!(list.contains(&format!("href=\"{game}\"")), "{list}");
    }
    let unknown = page(it, "cat", "challenges/99/games/3.html");
    assert_eq!((unknown.0, page(it, "cat", game)), (404, unknown), "the answers do not differ");
    assert_eq!(it.get(&format!("/me/{game}")).0, 401);
    for missing in ["games/11.html", "games/3.gif", "games/03.html", "games/3.txt", "games/x"] {
        assert_eq!(page(it, "ann", &format!("challenges/{}/{missing}", own.id)).0, 404, "{missing}");
    }
    // What a replay has links to is where the club has it.
    for linked in ["style.css", "bots/1.html", "index.html"] {
        assert_eq!(page(it, "ann", &format!("challenges/{}/{linked}", own.id)).0, 302, "{linked}");
    }
}

#[test]
fn a_challenge_is_played_with_the_limits_of_the_club() {
    const FUEL_PER_TURN: u64 = 40_000_000;
    let mut options = ClubOptions::default();
    options.game.limits.fuel_per_turn = Some(FUEL_PER_TURN);
    let it = club(options);
    let [ann, ben] = ["ann", "ben"].map(|name| it.author(name));
    it.admit(&ben, &bot("builtin:random", 11));
    let draft = it.admit_as(&ann, &bot("builtin:hunter", 10), true);
    assert_eq!(challenge(&it, &ann, draft.id, "ben"), Ok(()));
    let waiting = next(&it).expect("one waits");
    play(&it.club, &it.sandbox, &waiting).expect("it can be played");
    let journal = it.folder.challenge(waiting.id).join(JOURNAL);
    let (season, _) = arena_engine::StoredSeason::read(&journal).expect("it has games");
    assert_eq!(season.content.tournament.conditions.limits.fuel_per_turn, FUEL_PER_TURN);
}

#[test]
fn an_author_has_one_challenge_that_waits_and_ten_that_are_kept() {
    let (it, [ann, ben, _]) = played();
    let [own, other] =
        ["ann", "ben"].map(|name| it.club.state.versions_now(name).expect("they are known")[0].id);
    assert_eq!(challenge(&it, &ann, own, "ben"), Ok(()));
    assert_eq!(challenge(&it, &ann, own, "cat"), Err(429));
    assert_eq!(challenge(&it, &ben, other, "ann"), Ok(()), "another author has a turn, too");
    let folder = |id: i64| it.folder.challenge(id).is_dir();
    (0..2).for_each(|_| play_next(&it));
    for _ in 1..CHALLENGES_KEPT {
        assert_eq!(challenge(&it, &ann, own, "ben"), Ok(()));
        play_next(&it);
    }
    assert!((1..=11).all(folder), "ten of ann and one of ben");
    assert_eq!(challenge(&it, &ann, own, "ben"), Ok(()));
    play_next(&it);
    assert!(!folder(1) && (2..=12).all(folder), "the oldest of ann is forgotten, with its games");
    assert_eq!(it.club.state.versions_now("ann").expect("they are known")[0].challenges.len(), 11);
}

#[test]
fn a_kept_version_challenges_a_bot_that_plays_and_no_other() {
    let (it, [ann, ben, _]) = played();
    let draft = it.admit_as(&ann, &bot("builtin:random", 20), true);
    let waiting = it.upload(&ann, &bot("builtin:random", 21), true).expect("it is taken");
    let of_ben = it.club.state.versions_now("ben").expect("they are known")[0].id;
    for (version, opponent) in [(waiting.id, "ben"), (of_ben, "cat"), (99, "ben"), (draft.id, "dan")] {
        assert_eq!(challenge(&it, &ann, version, opponent), Err(404), "{version} {opponent}");
    }
    let plays = it.club.state.versions_now("ann").expect("they are known").pop().expect("one plays");
    assert_eq!(challenge(&it, &ann, plays.id, "ann"), Err(404), "it is the bot itself");
    assert_eq!(challenge(&it, &ben, of_ben, "ann"), Ok(()));
    // The bot of the same author that plays is an opponent like any other.
    assert_eq!(challenge(&it, &ann, draft.id, "ann"), Ok(()));
    it.club
        .state
        .register(|register| register.judge(waiting.id, VersionState::Refused, ""))
        .expect("it waits");
    play_next(&it);
    play_next(&it);
    let all = it.club.state.register(|register| register.challenges_of("ann")).expect("they can be read");
    let sides: Vec<_> = all.iter().map(|it| [it.sides[0].number, it.sides[1].number]).collect();
    assert_eq!(sides, [[2, 1], [1, 1]]);
    assert_eq!(seen(&all, draft.id)[0].games.len(), 10);
    let mut versions = it.club.state.versions_now("ann").expect("they are known");
    let listed: Vec<_> =
        rows(&mut versions).iter().map(|row| (row.seen.id, row.version, row.seen.asked)).collect();
    assert_eq!(listed, [(2, 2, true), (1, 1, false)], "the one between two versions is there once");
    it.folder.freeze(true).expect("it is open");
    assert_eq!(challenge(&it, &ann, draft.id, "ben"), Err(403));
}

#[test]
fn a_draft_plays_when_it_is_submitted_again_or_chosen_and_not_before() {
    let (it, [ann, ..]) = played();
    let drafts = [20, 21].map(|padding| it.admit_as(&ann, &bot("builtin:hunter", padding), true));
    it.play();
    let plays = |version: i64| it.version(version).plays;
    assert!(drafts.iter().all(|draft| !plays(draft.id) && it.version(draft.id).is_draft));
    let first = it.club.state.versions_now("ann").expect("they are known").pop().expect("one plays").id;
    assert!(plays(first));
    it.upload(&ann, &bot("builtin:hunter", 20), true).expect("it is taken");
    assert!(plays(drafts[0].id) && !plays(first));
    it.admit_as(&ann, &bot("builtin:hunter", 20), true);
    assert!(plays(drafts[0].id), "it has been chosen before");
    it.club.state.register(|register| register.choose(&ann, drafts[1].id)).expect("it is known");
    assert!(plays(drafts[1].id) && !plays(drafts[0].id));
}

#[test]
fn a_challenge_that_has_had_its_time_begins_no_further_game() {
    let (it, [ann, ..]) = played();
    let own = it.club.state.versions_now("ann").expect("they are known")[0].id;
    assert_eq!(challenge(&it, &ann, own, "ben"), Ok(()));
    for (left, is_over) in [(TIME, false), (Duration::ZERO, true)] {
        let control = Control::default();
        let mut observed = Observed {
            state: &it.club.state,
            logs: crate::logs::Logs::at(it.folder.path().join("logs")),
            control: control.clone(),
            until: Instant::now() + left,
        };
        let (season, _) = arena_engine::StoredSeason::read(&it.folder.journal()).expect("it has games");
        let results: &Results = &season.results;
        assert!(observed.game(&results.games[0], None, results).is_continue());
        assert_eq!(control.is_cancelled(), is_over);
    }
}

#[test]
fn a_challenge_that_the_arena_cannot_play_has_failed_and_the_judge_goes_on() {
    let (it, [ann, ..]) = played();
    let own = it.club.state.versions_now("ann").expect("they are known")[0].id;
    assert_eq!(challenge(&it, &ann, own, "ben"), Ok(()));
    let waiting = next(&it).expect("one waits");
    // Another sandbox has admitted none of them, and their files are gone.
    it.club.state.keep_admitted(|_| false);
    let bots: Vec<_> = waiting.sides.iter().map(|side| it.folder.bot(&side.sha256)).collect();
    bots.iter().for_each(|bot| fs::remove_file(bot).expect("it is there"));
    let other = Sandbox::new(it.club.sandbox_limits()).expect("there is room");
    let failed = play(&it.club, &other, &waiting).or_else(|error| super::fail(&it.club, &waiting, &error));
    failed.expect("the register can be written");
    assert_eq!(next(&it).map(|next| next.id), None);
    let challenges = it.club.state.versions_now("ann").expect("they are known").remove(0).challenges;
    assert_eq!(challenges[0].progress, ChallengeProgress::Failed);
}
