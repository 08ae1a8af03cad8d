//! Two journals of games that were played apart, made one.

use crate::error::Error;
use crate::journal::{self, Past, StoredGame};
use arena_league::Fixture;
use arena_record::{BotId, Label, Recording};
use arena_store::{Difference, GameKey, JournalError, NewGame, Reader, Stage, Tournament, Writer};
use arena_text::{ShownPath, counted};
use std::path::Path;

/// The games that are added to a merged journal in one transaction. Chosen: some hundred kilobytes.
const BATCH: usize = 64;

/// A journal to be merged, and its name.
pub struct Part {
    past: Past,
    reader: Reader,
    /// The number of each of its bots in the merged journal.
    numbers: Vec<usize>,
}

impl Part {
    /// Reads a journal.
    ///
    /// # Errors
    /// The reason why it cannot be read.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let (past, reader) = Past::read(path)?;
        Ok(Self { past, reader, numbers: Vec::new() })
    }

    /// The stages, with bots by their numbers in the merged journal.
    fn stages(&self) -> impl Iterator<Item = Stage> + '_ {
        self.past.entries.iter().cloned().map(|mut stage| {
            stage.entrants.iter_mut().for_each(|entrant| entrant.bot = self.numbers[entrant.bot]);
            stage
        })
    }
}

/// Two journals as one.
pub struct Merge {
    parts: [Part; 2],
    tournament: Tournament,
    /// The stages, each with its number in the first and in the second journal, if it is theirs.
    stages: Vec<(Stage, [Option<usize>; 2])>,
}

impl Merge {
    /// The merger of two journals.
    ///
    /// # Errors
    /// Other conditions, or bots in another order.
    pub fn of(mut parts: [Part; 2]) -> Result<Self, Error> {
        let [first, second] = &parts;
        let [conditions, others] = parts.each_ref().map(|part| &part.past.tournament.conditions);
        if let Some(Difference { what, journal, now }) = first.past.tournament.difference(others) {
            return Err(Error::usage(
                format!("{what} is {journal} in {} and {now} in {}", first.past.name, second.past.name),
                "merge journals that were begun with the same --seed, rules and limits, by the same arena",
            ));
        }
        let Order { bots, numbers } = Order::of(
            parts.each_ref().map(|part| part.past.tournament.bots.as_slice()),
        )
        .map_err(|[one, other]| {
            Error::usage(
                format!(
                    "{} and {} came in another order in {} than in {}, so their games have other seats",
                    one.as_str(),
                    other.as_str(),
                    second.past.name,
                    first.past.name
                ),
                "play one of them again, with the bots named in the order of the other",
            )
        })?;
        let tournament = Tournament { conditions: conditions.clone(), bots };
        for (part, numbers) in parts.iter_mut().zip(numbers) {
            part.numbers = numbers;
        }
        let [first, second] = &parts;
        let mut stages: Vec<(Stage, [Option<usize>; 2])> =
            first.stages().zip(1..).map(|(stage, number)| (stage, [Some(number), None])).collect();
        for (stage, number) in second.stages().zip(1..) {
            match stages.iter_mut().find(|(known, of)| *known == stage && of[1].is_none()) {
                Some((_, of)) => of[1] = Some(number),
                None => stages.push((stage, [None, Some(number)])),
            }
        }
        Ok(Self { parts, tournament, stages })
    }

    /// Writes the merged journal to a path, and tells what it has. `name` is the one that messages have for it.
    ///
    /// # Errors
    /// A journal that cannot be read or written, or games that contradict each other.
    pub fn write(&self, path: &Path, name: &ShownPath) -> Result<String, Error> {
        let refuse = |error| match error {
            JournalError::Full => Error::machine(name.to_string(), error, "make room, and merge again"),
            _ => journal::failure(name, error),
        };
        let first = &self.stages.first().expect("a journal has a stage").0;
        let mut writer = Writer::open(path, &self.tournament, first).map_err(refuse)?;
        let mut twice = 0;
        for (stage, of) in &self.stages {
            writer.enter(stage).map_err(refuse)?;
            for (part, number) in self.parts.iter().zip(of) {
                let games = number.map_or(Vec::new(), |number| part.past.games_of(number));
                for batch in games.chunks(BATCH) {
                    twice += add(&mut writer, part, batch).map_err(|error| match error {
                        Unadded::Read(error) => journal::failure(&part.past.name, error),
                        Unadded::Written(error) => refuse(error),
                    })?;
                }
            }
        }
        if let Some(seed) = self.parts.iter().find_map(|part| part.past.told_seed) {
            writer.tell_seed(seed).map_err(refuse)?;
        }
        Ok(format!(
            "{} of {}, {} in both",
            counted(writer.games(), "game"),
            counted(self.tournament.bots.len(), "bot"),
            counted(twice, "game")
        ))
    }
}

/// The reason why games cannot be added.
enum Unadded {
    /// The journal that they are in cannot be read.
    Read(JournalError),
    /// The merged journal cannot be written.
    Written(JournalError),
}

/// Adds games of a part, and returns the number of those that are there already.
fn add(writer: &mut Writer, part: &Part, games: &[StoredGame<'_>]) -> Result<usize, Unadded> {
    let read = |game: &StoredGame<'_>| {
        let damaged = |cause: &str| JournalError::damaged(format!("game {}", game.number), cause);
        let file = part.reader.transcript(game.number)?.ok_or_else(|| damaged("it has no transcript"))?;
        let recording = Recording::read(file.as_slice()).map_err(|error| damaged(&error.to_string()))?;
        let Fixture { seats, pair, game: number } = game.fixture;
        let key = GameKey { seats: seats.map(|bot| part.numbers[bot]), pair, game: number };
        Ok((key, recording.header, writer.packing().pack(&file)))
    };
    let files = games.iter().map(read).collect::<Result<Vec<_>, _>>().map_err(Unadded::Read)?;
    let new: Vec<_> = (games.iter().zip(&files))
        .map(|(game, (key, header, transcript))| NewGame {
            key: *key,
            result: game.result,
            header,
            transcript,
        })
        .collect();
    let before = writer.games();
    writer.append(&new).map_err(|unkept| Unadded::Written(unkept.error))?;
    Ok(new.len() - (writer.games() - before))
}

/// The bots of two journals in an order that both have. Seats follow from it.
#[derive(Debug)]
struct Order {
    bots: Vec<BotId>,
    /// The numbers of each journal's bots in it.
    numbers: [Vec<usize>; 2],
}

impl Order {
    /// The order of these journals' bots.
    ///
    /// # Errors
    /// Two bots that came in another order.
    fn of(journals: [&[BotId]; 2]) -> Result<Self, [Label; 2]> {
        let mut left = journals;
        let mut bots: Vec<BotId> = Vec::new();
        let mut numbers = [Vec::new(), Vec::new()];
        let has = |bots: &[BotId], bot: &BotId| bots.iter().any(|other| other.sha256 == bot.sha256);
        loop {
            let takes = match [left[0].first(), left[1].first()] {
                [None, None] => return Ok(Self { bots, numbers }),
                [Some(one), Some(other)] if one.sha256 == other.sha256 => [true, true],
                [Some(one), _] if !has(left[1], one) => [true, false],
                [_, Some(other)] if !has(left[0], other) => [false, true],
                [Some(one), Some(other)] => return Err([one.label.clone(), other.label.clone()]),
                [Some(_), None] | [None, Some(_)] => unreachable!("a bot of an empty list is in no list"),
            };
            let bot = if takes[0] { &left[0][0] } else { &left[1][0] };
            for (side, _) in takes.iter().enumerate().filter(|(_, takes)| **takes) {
                numbers[side].push(bots.len());
                left[side] = &left[side][1..];
            }
            bots.push(bot.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bots(names: &str) -> Vec<BotId> {
        let bot = |name| BotId { label: name, name: "".into(), sha256: "".into() };
        names
            .chars()
            .map(|c| BotId { sha256: c.to_string().as_str().into(), ..bot(c.to_string().as_str().into()) })
            .collect()
    }

    fn check(first: &str, second: &str, expected: Result<&str, &str>) {
        let words = |bots: &[BotId]| bots.iter().map(|bot| bot.label.as_str()).collect::<String>();
        let found = Order::of([&bots(first), &bots(second)]).map(|Order { bots: order, numbers }| {
            for (journal, numbers) in [first, second].iter().zip(numbers) {
                let named: String = numbers.iter().map(|&number| order[number].label.as_str()).collect();
                assert_eq!(named, *journal);
            }
            words(&order)
        });
        assert_eq!(
            found,
            expected.map(str::to_owned).map_err(|names| [&names[..1], &names[1..]].map(Label::from))
        );
    }

    #[test]
    fn bots_of_two_journals_come_in_the_order_of_both() {
        check("abc", "abc", Ok("abc"));
        check("ab", "cd", Ok("abcd"));
        check("bc", "ab", Ok("abc"));
        check("abd", "bcd", Ok("abcd"));
        check("aa", "aa", Ok("aa"));
    }

    #[test]
    fn bots_that_came_in_another_order_are_told() {
        check("ab", "ba", Err("ab"));
        check("axb", "ba", Err("ab"));
    }
}
