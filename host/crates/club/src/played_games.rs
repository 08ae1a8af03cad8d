//! The games that a club has played so far, and what follows from them for its next stage.
//!
//! Everything is counted from the games as the journal has them, stage by stage, so a club that was stopped goes on as it would have.

use crate::club::ClubOptions;
use arena_engine::internals::ranking::tenths;
use arena_engine::{GameResult, GameSummary, JournalContent, Ranking, Results, Seat, StoredSeason};
use arena_league::{Candidate, EndlessLimits, Format, NextStage, Shares, Standings, next_stage};
use arena_record::BotId;
use std::collections::HashMap;

/// The most games of a stage of a short season. Chosen: some seconds of quick bots.
const STAGE_GAMES: u32 = 400;

/// The most games of a stage that workers play. Chosen: they are many, and a stage begins in a second.
const STAGE_GAMES_OF_WORKERS: u32 = 4_000;

/// In a long season, a stage has up to one of this number of games so far. Chosen: a journal has a limited number of stages, and a
/// hundredth of the games so far changes little of what is played next.
const GAMES_TO_STAGE: u32 = 100;

/// A bot is paused when it was at fault in this number of its latest games. Chosen: half of them, so that a bot that fails in one seat
/// only gets there, and one that fails in one of ten games does not; and quick bots play them in a second, so a broken bot costs its
/// opponents few games.
pub(crate) const FAULTS_TO_PAUSE: u32 = 10;

/// The number of latest games that count for a pause. Chosen: the first games against one opponent.
pub(crate) const GAMES_TO_PAUSE: u32 = 20;

const DAY_SECONDS: i64 = 24 * 3_600;

/// The games that were played so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PlayedGames {
    /// The numbers of the bots by their SHA-256.
    numbers: HashMap<String, usize>,
    standings: Option<Standings>,
    /// The bots by number, without their shares.
    rated: Vec<Candidate>,
    shares: Shares,
    /// The bot that has played last for each author, by the author's name.
    latest: HashMap<String, usize>,
    /// The time at which the first stage began, in seconds since 1970.
    begun_at: Option<i64>,
    full_round: Option<FullRound>,
    latest_faults: LatestFaults,
    /// The number of games.
    games: u32,
}

/// The latest games of each bot by its number, the last one in the lowest bit: 1 if it was at fault.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LatestFaults(HashMap<usize, u32>);

impl LatestFaults {
    /// Adds a game. Returns true if one of its bots is to be paused.
    pub(crate) fn add(&mut self, game: &CountedGame) -> bool {
        let of_seat = |(&bot, &faults): (&usize, &u32)| {
            let latest = self.0.entry(bot).or_default();
            *latest = (*latest << 1 | u32::from(faults > 0)) & ((1 << GAMES_TO_PAUSE) - 1);
            is_pause(*latest)
        };
        // Both seats are counted.
        game.bots.iter().zip(&game.faults).map(of_seat).filter(|is_paused| *is_paused).count() > 0
    }
}

/// The latest full round.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FullRound {
    number: u32,
    /// The time at which it began, in seconds since 1970.
    begun_at: i64,
    /// The number of games of each two bots after it. Those who came later have no games in it.
    games_after: HashMap<[usize; 2], u32>,
}

/// A bot in play.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InPlay<'a> {
    pub(crate) sha256: &'a str,
    pub(crate) author: &'a str,
    /// The fuel of a trial game; 0 when it is not known.
    pub(crate) game_fuel: u64,
}

/// A stage that is played next, and the number of the full round to which it belongs.
pub(crate) struct Planned {
    pub(crate) stage: NextStage,
    pub(crate) full_round: Option<u32>,
}

/// A game of a stage that was played. The values are by seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CountedGame {
    bots: [usize; 2],
    fuel: [u64; 2],
    faults: [u32; 2],
}

impl CountedGame {
    pub(crate) fn new(bots: [usize; 2], result: &GameResult) -> Self {
        Self { bots, fuel: result.fuel, faults: Seat::BOTH.map(|seat| result.fault_count(seat)) }
    }
}

/// Two bots in ascending order.
fn pair(bots: [usize; 2]) -> [usize; 2] {
    [bots[0].min(bots[1]), bots[0].max(bots[1])]
}

impl PlayedGames {
    /// The games of a journal.
    pub(crate) fn of(season: &StoredSeason) -> Self {
        let JournalContent { moments, stages, entries, .. } = &season.content;
        let mut past = Self { begun_at: moments.first().and_then(|it| it.seconds()), ..Self::default() };
        past.rate(&season.ranking());
        let mut by_stage: Vec<Vec<CountedGame>> = vec![Vec::new(); stages.len()];
        let place = |game: &GameSummary| season.places.get(&game.fixture).copied();
        let played = season.results.games.iter().filter(|game| game.is_played());
        let mut games: Vec<_> = played.filter_map(|game| Some((place(game)?, game))).collect();
        // In the order in which they were counted.
        games.sort_by_key(|(place, _)| place.number);
        for (place, game) in games {
            if let (Some(games), Ok(result)) = (by_stage.get_mut(place.stage - 1), &game.result) {
                games.push(CountedGame::new(game.fixture.seats, result));
            }
        }
        let mut met: HashMap<[usize; 2], u32> = HashMap::new();
        for (((stage, entry), games), number) in stages.iter().zip(entries).zip(&by_stage).zip(1..) {
            if let Some(round) = stage.settings.full_round {
                let begun_at = moments.iter().find(|moment| moment.stage == number);
                let begun_at = begun_at.and_then(|moment| moment.seconds()).unwrap_or(0);
                past.enter_full_round(round, begun_at, &stage.field, |bots| {
                    met.get(&bots).copied().unwrap_or(0)
                });
            }
            let author =
                |bot: &usize| entry.entrants.iter().find(|it| it.bot == *bot).map(|it| it.label.as_str());
            past.begin(&stage.field, |bot| author(bot).unwrap_or_default());
            past.count(games);
            // It was paused after the stage.
            past.latest_faults
                .0
                .values_mut()
                .filter(|faults| is_pause(**faults))
                .for_each(|faults| *faults = 0);
            games.iter().for_each(|CountedGame { bots, .. }| *met.entry(pair(*bots)).or_default() += 1);
        }
        past
    }

    /// Adds a stage that was played at this time.
    pub(crate) fn add(
        &mut self,
        ranking: &Ranking<'_>,
        field: &[usize],
        full_round: Option<u32>,
        at: i64,
        games: &[CountedGame],
    ) {
        self.begun_at.get_or_insert(at);
        if let Some(round) = full_round {
            let standings = self.standings.clone();
            let met = |[one, other]: [usize; 2]| games_of(standings.as_ref(), one, other);
            self.enter_full_round(round, at, field, met);
            if games.is_empty() {
                // The arena has no results of the games that are missing.
                self.full_round.iter_mut().for_each(|round| round.games_after.clear());
            }
        }
        self.begin(field, |&bot| ranking.bots[bot].label.as_str());
        self.count(games);
        self.rate(ranking);
    }

    /// Begins a stage between these bots of authors. A new version of an author has had what the one before it has, unless that is little
    /// more than others: or else an author with a slow bot would have a new share with each version.
    fn begin<'a>(&mut self, field: &[usize], author: impl Fn(&usize) -> &'a str) {
        let allowance = self.shares.usual().saturating_mul(STAGE_GAMES.into());
        for bot in field {
            if let Some(before) = self.latest.insert(author(bot).to_owned(), *bot)
                && before != *bot
            {
                self.shares.follow(*bot, before, allowance);
            }
        }
        self.shares.begin(field);
    }

    fn rate(&mut self, ranking: &Ranking<'_>) {
        let Ranking { bots, results, ratings, .. } = ranking;
        let Results { standings, .. } = results;
        self.numbers = numbers(bots);
        self.standings = Some(standings.clone());
        self.rated = vec![Candidate::default(); bots.len()];
        for row in ranking.rows() {
            let bot = row.score.contestant;
            let strength = ratings.strength(bot).map(tenths);
            let (low, high) = (row.rating.low, row.rating.high);
            self.rated[bot] = Candidate { strength, low, high, ..Candidate::default() };
        }
    }

    fn count(&mut self, games: &[CountedGame]) {
        self.games = self.games.saturating_add(u32::try_from(games.len()).unwrap_or(u32::MAX));
        for game in games {
            game.bots.iter().zip(&game.fuel).for_each(|(&bot, &fuel)| self.shares.add(bot, fuel));
            self.latest_faults.add(game);
        }
    }

    pub(crate) fn latest_faults(&self) -> LatestFaults {
        self.latest_faults.clone()
    }

    /// True if a component has been at fault in so many of its latest games that it is paused. They are forgotten then.
    pub(crate) fn take_pause(&mut self, sha256: &str) -> bool {
        let bot = self.numbers.get(sha256).copied();
        let faults = bot.and_then(|bot| self.latest_faults.0.get_mut(&bot));
        let Some(faults) = faults.filter(|faults| is_pause(**faults)) else { return false };
        *faults = 0;
        true
    }

    fn enter_full_round(&mut self, number: u32, at: i64, field: &[usize], met: impl Fn([usize; 2]) -> u32) {
        if self.full_round.as_ref().is_some_and(|round| round.number == number) {
            return;
        }
        let matches = field
            .iter()
            .enumerate()
            .flat_map(|(place, &one)| field[place + 1..].iter().map(move |&other| pair([one, other])));
        let games_after = matches.map(|bots| (bots, met(bots) / 2 * 2 + 2)).collect();
        self.full_round = Some(FullRound { number, begun_at: at, games_after });
    }

    /// The stage that is played next between these bots; `None` when there is nothing to play. The time, in seconds since 1970, decides
    /// only if a full round begins.
    pub(crate) fn plan(&self, field: &[InPlay<'_>], options: &ClubOptions, now: i64) -> Option<Planned> {
        let mut fresh = self.numbers.len()..;
        let number = |it: &InPlay<'_>| self.numbers.get(it.sha256).copied().or_else(|| fresh.next());
        let numbers: Vec<usize> = field.iter().filter_map(number).collect();
        let mut begun = self.clone();
        let author = |bot: &usize| numbers.iter().zip(field).find(|(number, _)| *number == bot);
        begun.begin(&numbers, |bot| author(bot).map_or("", |(_, it)| it.author));
        let shares = &begun.shares;
        let candidate = |(&bot, it): (&usize, &InPlay<'_>)| Candidate {
            share: shares.of(bot),
            work: shares.work_of_game(bot).unwrap_or(it.game_fuel),
            ..self.rated.get(bot).copied().unwrap_or_default()
        };
        let candidates: Vec<Candidate> = numbers.iter().zip(field).map(candidate).collect();
        let met = |one: usize, other: usize| games_of(self.standings.as_ref(), numbers[one], numbers[other]);
        let begins = self.full_round_begins(options.full_round, now);
        let is_due = |one: usize, other: usize| match &self.full_round {
            _ if begins => true,
            Some(round) => {
                let after = round.games_after.get(&pair([numbers[one], numbers[other]]));
                after.is_some_and(|&after| met(one, other) < after)
            }
            None => false,
        };
        let stage_games = if options.workers.is_some() { STAGE_GAMES_OF_WORKERS } else { STAGE_GAMES };
        let limits = EndlessLimits {
            games_min: options.games_min,
            games_max: options.games_max,
            stage_games: stage_games.max(self.games / GAMES_TO_STAGE),
            neighbours: options.neighbours,
        };
        let stage = next_stage(&candidates, shares.usual(), &met, &is_due, &limits)?;
        let latest = self.full_round.as_ref().map_or(0, |round| round.number);
        let full_round = stage.format == Format::RoundRobin;
        let full_round = full_round.then(|| if begins { latest + 1 } else { latest });
        Some(Planned { stage, full_round })
    }

    /// True if a full round at this time of the day, in seconds after midnight in UTC, begins now: none has begun since then, and the
    /// season had begun.
    fn full_round_begins(&self, at: Option<u32>, now: i64) -> bool {
        let Some((at, begun_at)) = at.zip(self.begun_at) else { return false };
        let latest = now - (now - i64::from(at)).rem_euclid(DAY_SECONDS);
        let before = self.full_round.as_ref().map_or(begun_at, |round| round.begun_at.max(begun_at));
        before < latest
    }
}

const fn is_pause(latest_faults: u32) -> bool {
    latest_faults.count_ones() >= FAULTS_TO_PAUSE
}

fn numbers(bots: &[BotId]) -> HashMap<String, usize> {
    bots.iter().enumerate().map(|(number, bot)| (bot.sha256.to_string(), number)).collect()
}

/// The number of games between two bots.
fn games_of(standings: Option<&Standings>, one: usize, other: usize) -> u32 {
    let standings = standings.filter(|standings| one.max(other) < standings.contestants());
    standings.and_then(|standings| standings.against(one, other)).map_or(0, |(_, games)| games)
}

#[cfg(test)]
impl PlayedGames {
    /// The same without times, which a journal has in whole seconds of its own.
    pub(crate) fn without_times(&self) -> Self {
        let mut past = Self { begun_at: None, ..self.clone() };
        past.full_round.iter_mut().for_each(|round| round.begun_at = 0);
        past
    }

    pub(crate) fn latest_of(&self, author: &str) -> Option<usize> {
        self.latest.get(author).copied()
    }

    pub(crate) fn full_rounds(&self) -> u32 {
        self.full_round.as_ref().map_or(0, |round| round.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stages;
    use crate::support::played_club;

    const AT: i64 = 1_000 * DAY_SECONDS + 3 * 3_600;

    fn begins(begun_at: Option<i64>, round_at: Option<i64>, now: i64) -> bool {
        let round = |begun_at| FullRound { number: 1, begun_at, games_after: HashMap::new() };
        let past = PlayedGames { begun_at, full_round: round_at.map(round), ..PlayedGames::default() };
        past.full_round_begins(Some(3 * 3_600), now)
    }

    #[test]
    fn a_new_version_of_a_slow_bot_has_had_what_the_one_before_has_had() {
        let mut past = PlayedGames::default();
        past.begin(&[0, 1], |&bot| ["ann", "ben"][bot]);
        past.shares.add(0, 1_000_000);
        past.shares.add(1, 10);
        // But for a stage of usual games.
        past.begin(&[1, 2], |&bot| ["ann", "ben", "ann"][bot]);
        assert_eq!(past.shares.of(2), 1_000_000 - 400 * 10);
        // One of a new author begins as the others.
        past.begin(&[1, 2, 3], |&bot| ["ann", "ben", "ann", "cat"][bot]);
        assert_eq!(past.shares.of(3), 10);
        // An older version that plays again has no other share, either.
        past.shares.add(2, 1_000_000);
        past.begin(&[0, 1, 3], |&bot| ["ann", "ben", "ann", "cat"][bot]);
        assert_eq!(past.shares.of(0), 2_000_000 - 2 * 400 * 10);
    }

    #[test]
    fn a_bot_is_paused_when_it_was_at_fault_in_ten_of_its_latest_twenty_games() {
        let add = |faults: &mut LatestFaults, seat: usize, is_at_fault: bool| {
            let mut game = CountedGame { bots: [1, 2], fuel: [0; 2], faults: [0; 2] };
            game.faults[seat] = u32::from(is_at_fault);
            faults.add(&game)
        };
        for seat in [0, 1] {
            let mut faults = LatestFaults::default();
            assert!((0..9).all(|_| !add(&mut faults, seat, true)), "nine are too few");
            assert!(add(&mut faults, seat, true), "the other one has played well");
            // Of the latest twenty games, the first ones leave.
            let mut faults = LatestFaults::default();
            assert!((0..9).all(|_| !add(&mut faults, seat, true)));
            assert!((0..12).all(|_| !add(&mut faults, seat, false)));
            assert!((0..2).all(|_| !add(&mut faults, seat, true)), "two of the nine are forgotten by now");
        }
    }

    #[test]
    fn a_bot_that_has_played_is_a_candidate_with_the_interval_of_its_rating() {
        let it = played_club();
        let mut rated = stages::recall(&it.club).expect("it can be read").past.rated;
        rated.sort_by(|one, other| one.strength.partial_cmp(&other.strength).expect("they are numbers"));
        let [weaker, stronger] = &rated[..] else { panic!("two have played: {rated:?}") };
        // The other ends are missing if the stronger one has won all games.
        let ends = weaker.high.zip(stronger.low).expect("games bound ratings");
        assert!(weaker.low.is_none_or(|low| low <= ends.0), "{weaker:?}");
        assert!(stronger.high.is_none_or(|high| ends.1 <= high), "{stronger:?}");
        assert!(weaker.strength.is_some() && weaker.strength < stronger.strength, "{rated:?}");
    }

    #[test]
    fn a_stage_has_four_hundred_games_or_a_hundredth_of_those_of_a_long_season() {
        let bot = |sha256, author| InPlay { sha256, author, game_fuel: 1 };
        let field = [bot("a", "ann"), bot("b", "ben")];
        let options = ClubOptions { games_min: 1_000_000, games_max: 1_000_000, ..ClubOptions::default() };
        let games = [0, 40_199, 40_200, 100_000].map(|games| {
            let planned = PlayedGames { games, ..PlayedGames::default() }.plan(&field, &options, 0);
            planned.expect("they have not met").stage.games_per_match
        });
        assert_eq!(games, [400, 400, 402, 1_000]);
    }

    #[test]
    fn a_full_round_has_one_more_whole_pair_of_games_for_each_two_bots() {
        let mut past = PlayedGames::default();
        past.enter_full_round(1, AT, &[2, 0, 1], |bots| match bots {
            [0, 1] => 0,
            [0, 2] => 3,
            _ => 4,
        });
        let after = past.full_round.expect("it has begun").games_after;
        assert_eq!([[0, 1], [0, 2], [1, 2]].map(|bots| after[&bots]), [2, 4, 6]);
    }

    #[test]
    fn a_full_round_begins_once_a_day_after_its_time() {
        let begun = Some(AT - 40 * 3_600);
        assert!(begins(begun, None, AT) && begins(begun, None, AT + 5));
        assert!(!begins(begun, Some(AT + 5), AT + 6) && !begins(begun, Some(AT + 5), AT + DAY_SECONDS - 1));
        assert!(begins(begun, Some(AT + 5), AT + DAY_SECONDS));
        // One that was missed is made up for, once.
        assert!(begins(begun, Some(AT), AT + 10 * DAY_SECONDS + 7));
        // The clock was set back.
        assert!(!begins(begun, Some(AT + 3_600), AT + 60));
    }

    #[test]
    fn a_season_that_has_not_begun_or_began_after_the_time_has_no_full_round_yet() {
        assert!(!begins(None, None, AT));
        assert!(!begins(Some(AT + 60), None, AT + 7_200));
        assert!(begins(Some(AT + 60), None, AT + DAY_SECONDS));
    }
}
