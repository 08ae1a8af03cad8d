//! An author's versions as the author sees them, on the page and in `arena mine`: their standings, how the rating has moved from one to the
//! next, the games that tell why the one that plays loses, and what to do next.

use crate::challenges;
use crate::error::ClubError;
use crate::requests::{LostGame, Standing, Submitted, SubmittedState};
use crate::state::State;
use crate::uploads::Refusal;
use arena_engine::internals::ranking::tenths;
use arena_pages::{Contest, Game};
use arena_rules::{Outcome, Seat};
use arena_store::{Version, VersionState};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

/// The lost games that are shown of each kind, and together. Chosen: what an author watches in ten minutes.
const OF_KIND: usize = 2;
const LOST_SHOWN: usize = 5;

impl State {
    /// The versions of an author, the latest first, with these standings.
    ///
    /// # Errors
    /// The register cannot be read.
    fn versions_with(
        &self,
        author: &str,
        standing: impl Fn(&str) -> Option<Standing>,
    ) -> Result<Vec<Submitted>, ClubError> {
        let (versions, challenges) =
            self.register(|register| Ok((register.versions_of(author)?, register.challenges_of(author)?)))?;
        let contest = self.live.contest();
        let seen = |version: &Version| {
            // Another author's bot may be the same component: only who submitted it first has its games.
            let is_admitted = version.state == VersionState::Admitted;
            let mut it = Submitted::new(version, standing(&version.sha256).filter(|_| is_admitted));
            it.awaits_games &= !self.has_played_out(&version.sha256);
            it.challenges = challenges::seen(&challenges, version.id);
            if let Some(contest) = contest.as_deref().filter(|_| version.plays) {
                it.lost = lost(contest, &version.sha256, self.season);
            }
            it
        };
        let mut versions: Vec<Submitted> = versions.iter().map(seen).collect();
        note_changes(&mut versions);
        versions.iter_mut().for_each(|it| it.next = next(it).into());
        Ok(versions)
    }

    /// The versions of an author, the latest first, as they are now.
    ///
    /// # Errors
    /// The register cannot be read.
    pub(crate) fn versions_now(&self, author: &str) -> Result<Vec<Submitted>, ClubError> {
        self.versions_with(author, |sha256| self.standing(sha256))
    }

    /// The same with the standings that the pages of the contest have, so that none of them contradicts another.
    ///
    /// # Errors
    /// The register cannot be read.
    pub(crate) fn versions_as_shown(
        &self,
        author: &str,
        contest: Option<&Contest>,
    ) -> Result<Vec<Submitted>, ClubError> {
        // Before they are written, nothing contradicts those of now.
        let standing = |sha256: &str| match contest {
            Some(contest) => of_pages(contest, sha256),
            None => self.standing(sha256),
        };
        self.versions_with(author, standing)
    }

    /// A version as its author sees it now.
    ///
    /// # Errors
    /// The register cannot be read.
    pub(crate) async fn version_now(self: &Arc<Self>, version: &Version) -> Result<Submitted, Refusal> {
        let (author, id) = (version.author.clone(), version.id);
        let all = self.blocking(move |state| state.versions_now(&author)).await?;
        // It may be deleted just now.
        Ok(all.into_iter().find(|it| it.id == id).unwrap_or_else(|| Submitted::new(version, None)))
    }
}

/// The index of a bot in a contest by the SHA-256 of its component.
fn bot_of(contest: &Contest, sha256: &str) -> Option<usize> {
    contest.bots.iter().position(|bot| bot.sha256.as_str() == sha256)
}

/// The standing of a version on the pages of a contest, if it has played.
pub(crate) fn of_pages(contest: &Contest, sha256: &str) -> Option<Standing> {
    let bot = bot_of(contest, sha256)?;
    let row = contest.standings.iter().find(|row| row.score.contestant == bot)?;
    Some(Standing {
        place: row.place,
        games: row.score.games,
        points: row.score.points(),
        faults: row.score.faults,
        rating: row.rating.unwrap_or_default(),
    })
}

/// Notes how the rating of each version differs from that of the one before it that has one.
fn note_changes(versions: &mut [Submitted]) {
    let elo = |it: &Submitted| it.standing.as_ref().and_then(|standing| standing.rating.elo);
    let mut before = None;
    for version in versions.iter_mut().rev() {
        let Some(now) = elo(version) else { continue };
        version.change = before.map(|before| tenths(now - before));
        before = Some(now);
    }
}

/// The games that tell most about why a bot loses: those with a fault of it, those against the weakest winners, and the shortest.
fn lost(contest: &Contest, sha256: &str, season: u32) -> Vec<LostGame> {
    let Some(bot) = bot_of(contest, sha256) else { return Vec::new() };
    let elo = |bot: usize| {
        let row = contest.standings.iter().find(|row| row.score.contestant == bot)?;
        row.rating.as_ref()?.elo
    };
    let own = elo(bot);
    let seat_of = |game: &Game| Seat::BOTH.into_iter().find(|seat| game.seats[seat.index()] == bot);
    let is_lost = |game: &&Game| {
        let result = game.played();
        result.zip(seat_of(game)).is_some_and(|(result, seat)| result.outcome == Outcome::Win(seat.other()))
    };
    let games: Vec<&Game> = contest.games.iter().rev().filter(is_lost).collect();
    let fault = |game: &Game| {
        let seat = seat_of(game)?;
        let ((_, class), fault) = game.played()?.faults().iter().find(|((of, _), _)| *of == seat)?;
        let place = match fault.first_turn {
            0 => "in the deployment".to_owned(),
            turn => format!("in turn {turn}"),
        };
        Some(format!("it was at fault {place}: {class}"))
    };
    let opponent = |game: &Game| seat_of(game).map(|seat| game.seats[seat.other().index()]);
    let ahead = |game: &Game| Some(own? - elo(opponent(game)?)?).filter(|ahead| *ahead > 0.0);
    let turns = |game: &Game| Some(game.played()?.turns[seat_of(game)?.index()]);
    let mut upsets: Vec<(f64, &Game)> = games.iter().filter_map(|game| Some((ahead(game)?, *game))).collect();
    upsets.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let mut short = games.clone();
    short.sort_by_key(|game| (turns(game), Reverse(game.number)));
    // One against each opponent comes before a second one against any.
    let mut of_opponent: HashMap<Option<usize>, usize> = HashMap::new();
    short.sort_by_cached_key(|game| {
        let count = of_opponent.entry(opponent(game)).or_default();
        *count += 1;
        *count
    });
    let faulty = games.iter().filter_map(|game| Some((*game, fault(game)?))).take(OF_KIND);
    let upsets = upsets
        .into_iter()
        .take(OF_KIND)
        .map(|(ahead, game)| (game, format!("the winner is rated {ahead:.0} Elo below it")));
    let short = short
        .into_iter()
        .filter_map(|game| Some((game, format!("it was over after {} turns of it", turns(game)?))));
    let mut shown: Vec<LostGame> = Vec::new();
    for (game, why) in faulty.chain(upsets).chain(short.take(LOST_SHOWN)) {
        let (Some(opponent), Some(stage)) = (opponent(game), game.stage) else { continue };
        if shown.len() < LOST_SHOWN && shown.iter().all(|known| known.number != game.number) {
            shown.push(LostGame {
                number: game.number,
                opponent: contest.bots[opponent].label.as_str().into(),
                why: why.as_str().into(),
                address: format!("game/{season}/{stage}/{}", game.number).as_str().into(),
            });
        }
    }
    shown
}

/// What the author of a version does next, in a sentence; empty when nothing is to be done.
fn next(version: &Submitted) -> &'static str {
    let standing = version.standing.as_ref();
    match version.state {
        SubmittedState::Waiting => "wait for the verdict: it comes when those before it are judged",
        SubmittedState::Faulted => {
            "correct the fault that the finding names; `arena check` shows the same on your machine"
        }
        SubmittedState::Draft if version.challenges.is_empty() => {
            "challenge another bot with it, or let it play: press its button, or submit the same file again"
        }
        SubmittedState::Draft => {
            "watch the games of its challenges; if they are good, press its button or submit the same file again"
        }
        SubmittedState::Plays if standing.is_none() && version.awaits_games => {
            "wait for its first games, which are played in turns with others"
        }
        SubmittedState::Plays if standing.is_none() => "wait for a bot of another author",
        SubmittedState::Plays if standing.is_some_and(|standing| standing.faults > 0) => {
            "read the logs of its games with a fault, and submit a version without that fault"
        }
        SubmittedState::Plays if !version.lost.is_empty() => {
            "watch the games that it has lost, and try an idea as a draft first"
        }
        SubmittedState::Plays => "watch its games, and try an idea as a draft first",
        SubmittedState::Disqualified => "ask the organiser",
        // Their findings have the next step, or there is none.
        SubmittedState::Refused
        | SubmittedState::Paused
        | SubmittedState::Replaced
        | SubmittedState::Deleted
        | SubmittedState::Superseded => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::club::ClubOptions;
    use crate::support::{bot, club};
    use arena_engine::Rating;
    use arena_record::FaultCount;
    use arena_referee::FaultClass;

    #[test]
    fn an_author_is_shown_lost_games_with_a_fault_then_upsets_then_the_shortest() {
        let it = club(ClubOptions { games_min: 8, ..ClubOptions::default() });
        let [ann, ben] = ["ann", "ben"].map(|name| it.author(name));
        let own = it.admit(&ann, &bot("builtin:random", 10)).sha256;
        it.admit(&ben, &bot("builtin:hunter", 11));
        it.play();
        let mut contest = Contest::clone(&*it.club.pages.write(1, &|| false).expect("they can be written"));
        let bot = bot_of(&contest, &own).expect("it has played");
        let seat = |game: &Game| if game.seats[0] == bot { Seat::First } else { Seat::Second };
        let mut is_lost = Vec::new();
        for game in &mut contest.games {
            let seat = seat(game);
            let mut result = game.played().expect("it has one").whole();
            result.outcome = Outcome::Win(if game.number == 1 { seat } else { seat.other() });
            result.turns = [90 - game.number as u32; 2];
            let fault =
                |first_turn| FaultCount { count: 1, first_turn, detail: "".into(), stack: Vec::new() };
            if game.number == 3 {
                result.faults.insert((seat, FaultClass::Trap), fault(7));
            }
            // The opponent's are not the author's.
            result.faults.insert((seat.other(), FaultClass::Trap), fault(5));
            game.result = Some(result.into());
            is_lost.extend((game.number != 1).then_some(game.number));
        }
        let shown = lost(&contest, &own, 1);
        // It is not rated above the winner, so no game is an upset; the later ones are shorter here.
        assert_eq!(shown.iter().map(|it| it.number).collect::<Vec<_>>(), [3, 4, 2]);
        assert!(shown[0].why.starts_with("it was at fault in turn 7: "), "{}", shown[0].why.as_str());
        assert_eq!(shown[1].why.as_str(), "it was over after 86 turns of it");
        assert_eq!((shown[1].opponent.as_str(), shown[1].address.as_str()), ("ben", "game/1/1/4"));
        assert_eq!(is_lost, [2, 3, 4]);
        for (own_elo, other, why) in [
            (900.0, 700.0, "the winner is rated 200 Elo below it"),
            (700.0, 900.0, "it was over after 86 turns of it"),
        ] {
            for row in &mut contest.standings {
                let elo = if row.score.contestant == bot { own_elo } else { other };
                row.rating = Some(Rating { elo: Some(elo), low: None, high: None });
            }
            let shown = lost(&contest, &own, 1);
            assert_eq!(shown.iter().map(|it| it.number).collect::<Vec<_>>(), [3, 4, 2]);
            assert_eq!(shown[1].why.as_str(), why);
        }
    }

    #[test]
    fn the_page_of_an_author_has_the_figures_of_the_standings_also_while_games_are_played() {
        let it = club(ClubOptions::default());
        let [ann, ben] = ["ann", "ben"].map(|name| it.author(name));
        let own = it.admit(&ann, &bot("builtin:random", 10)).sha256;
        it.admit(&ben, &bot("builtin:hunter", 11));
        it.play();
        let shown = |contest: Option<&Contest>| {
            let versions = it.club.state.versions_as_shown("ann", contest).expect("they can be read");
            versions[0].standing.clone()
        };
        assert_eq!(shown(None), it.club.state.standing(&own), "no page has another one");
        let contest = it.club.pages.write(1, &|| false).expect("they can be written");
        let now = it.club.state.standing(&own).expect("it has played");
        assert_eq!(shown(Some(&contest)).as_ref(), Some(&now));
        // A further stage is counted, and the pages are those of before.
        let later = Standing { games: 640, place: Some(1), ..now.clone() };
        it.club.state.set_standings([(own, later.clone())].into());
        assert_eq!(shown(Some(&contest)), Some(now));
        let of_now = it.club.state.versions_now("ann").expect("they can be read").remove(0);
        assert_eq!(of_now.standing, Some(later));
    }

    #[test]
    fn the_next_step_of_a_draft_is_to_challenge_a_bot_and_then_to_watch_these_games() {
        let it = club(ClubOptions::default());
        let [ann, ben] = ["ann", "ben"].map(|name| it.author(name));
        it.admit(&ben, &bot("builtin:random", 11));
        let draft = it.admit_as(&ann, &bot("builtin:hunter", 10), true);
        let step = || next(&it.club.state.versions_now("ann").expect("they can be read")[0]);
        assert!(step().starts_with("challenge another bot with it"), "{}", step());
        it.wait(it.club.state.challenge(&ann, draft.id, "ben".to_owned())).expect("it is taken");
        assert!(step().starts_with("watch the games of its challenges"), "{}", step());
    }

    #[test]
    fn the_rating_of_a_version_is_compared_with_that_of_the_version_before_it_that_has_one() {
        let it = club(ClubOptions::default());
        let ann = it.author("ann");
        [10, 11, 12, 13]
            .into_iter()
            .for_each(|padding| drop(it.admit(&ann, &bot("builtin:random", padding))));
        let mut versions = it.club.state.versions_now("ann").expect("they can be read");
        let rated = |elo| Standing {
            place: None,
            games: 4,
            points: 2.0,
            faults: 0,
            rating: Rating { elo, ..Rating::default() },
        };
        for (version, elo) in versions.iter_mut().zip([Some(30.0), None, Some(-20.5), Some(0.0)]) {
            version.standing = Some(rated(elo));
        }
        note_changes(&mut versions);
        assert_eq!(
            versions.iter().map(|it| it.change).collect::<Vec<_>>(),
            [Some(50.5), None, Some(-20.5), None]
        );
    }
}
