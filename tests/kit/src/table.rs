//! The zoo's table, `tests/zoo/specimens.txt`: the expected behaviour of each specimen.

use anyhow::{Context, Result, ensure};

use crate::zoo_names;

const TABLE: &str = include_str!("../../zoo/specimens.txt");

/// An entry of the zoo's table. The header of `tests/zoo/specimens.txt` explains its columns.
#[derive(Debug)]
pub struct Specimen {
    /// The name of the specimen's file, without `.wat`.
    pub name: &'static str,
    /// Its expected behaviour in the sandbox, without a game.
    pub behaviour: Behaviour,
    /// The expected result of its game, such as `loses by forfeit, trap ×1`, or `-` if it plays none.
    pub game: &'static str,
    /// The detail of its fault, or a part of the message by which it is refused. Empty for [`Behaviour::Shoots`].
    pub message: &'static str,
}

/// The behaviour of a specimen in the sandbox.
#[derive(Debug, PartialEq)]
pub enum Behaviour {
    /// It is refused, with a refusal of this kind.
    Refused(&'static str),
    /// It is refused for a fault of this class when it is started or asked for its name.
    Faulted(&'static str),
    /// Its deployment is a fault of this class.
    Deploy(&'static str),
    /// It deploys, and its answer in this turn is a fault of this class, the first one.
    Play(u32, &'static str),
    /// It deploys, and its first answers are these cells (row and column), or `None` when it skips.
    Shoots(Vec<Option<(u8, u8)>>),
}

/// The entries of the zoo's table, in its order: exactly one for each Battleship specimen.
///
/// # Panics
/// If a line of the table is not an entry, or if entries and specimens do not correspond.
pub fn specimens() -> Vec<Specimen> {
    parse(TABLE, &zoo_names()).unwrap_or_else(|error| panic!("tests/zoo/specimens.txt: {error}"))
}

fn parse(table: &'static str, names: &[String]) -> Result<Vec<Specimen>> {
    let lines = (1..).zip(table.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let entry =
        |(number, line)| specimen(line).with_context(|| format!("line {number} is not an entry: {line}"));
    let specimens: Vec<Specimen> = lines.map(entry).collect::<Result<_>>()?;

    let mut entries: Vec<&str> = specimens.iter().map(|specimen| specimen.name).collect();
    entries.sort_unstable();
    for pair in entries.windows(2) {
        ensure!(pair[0] != pair[1], "there are two entries for `{}`", pair[0]);
    }
    for name in names {
        ensure!(entries.contains(&name.as_str()), "there is no entry for {name}.wat");
    }
    for name in entries {
        ensure!(names.iter().any(|file| file == name), "there is an entry for `{name}`, but no {name}.wat");
    }
    Ok(specimens)
}

fn specimen(line: &'static str) -> Option<Specimen> {
    let mut columns = line.splitn(4, '|').map(str::trim);
    let (name, sandbox, game) = (columns.next()?, columns.next()?, columns.next()?);
    let message = columns.next().unwrap_or_default();
    let (word, rest) = sandbox.split_once(' ')?;
    let behaviour = match word {
        "refused" => Behaviour::Refused(rest),
        "faulted" => Behaviour::Faulted(rest),
        "deploy" => Behaviour::Deploy(rest),
        "play" => {
            let (turn, class) = rest.split_once(' ')?;
            Behaviour::Play(turn.parse().ok()?, class)
        }
        "shoots" => Behaviour::Shoots(rest.split(' ').map(shot).collect::<Option<_>>()?),
        _ => return None,
    };
    // Any text contains the empty one, so an entry without its message would check nothing.
    let has_message = !message.is_empty();
    let shoots = matches!(behaviour, Behaviour::Shoots(_));
    (has_message != shoots).then_some(Specimen { name, behaviour, game, message })
}

fn shot(text: &str) -> Option<Option<(u8, u8)>> {
    if text == "-" {
        return Some(None);
    }
    let (row, column) = text.split_once(',')?;
    Some(Some((row.parse().ok()?, column.parse().ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn an_entry_has_a_name_a_behaviour_a_game_and_a_message() {
        let table =
            "# A comment.\n\na | play 3 trap | loses by forfeit, trap ×1 | a | b\nb | shoots 0,1 - | -\n";
        let specimens = parse(table, &names(&["a", "b"])).expect("it is a table");
        let [a, b] = &specimens[..] else { panic!("{specimens:?}") };
        assert_eq!((a.name, &a.behaviour), ("a", &Behaviour::Play(3, "trap")));
        assert_eq!((a.game, a.message), ("loses by forfeit, trap ×1", "a | b"));
        assert_eq!((b.name, &b.behaviour), ("b", &Behaviour::Shoots(vec![Some((0, 1)), None])));
        assert_eq!((b.game, b.message), ("-", ""));
    }

    #[test]
    fn a_mistake_in_a_table_is_reported_with_its_place() {
        let good = "a | refused import | - | `host`\n";
        for (line, mistake) in [
            ("", "there is no entry for b.wat"),
            (good, "there are two entries for `a`"),
            ("b | shoots - | -\nc | shoots - | -", "there is an entry for `c`, but no c.wat"),
            ("b", "line 2 is not an entry: b"),
            ("b | refused import | -", "line 2 is not an entry: b | refused import | -"),
            ("b | shoots 0,256 | -", "line 2 is not an entry: b | shoots 0,256 | -"),
            ("b | shoots - | - | text", "line 2 is not an entry: b | shoots - | - | text"),
            ("b | play trap | - | text", "line 2 is not an entry: b | play trap | - | text"),
            ("b | sleeps well | - | text", "line 2 is not an entry: b | sleeps well | - | text"),
        ] {
            let table = format!("{good}{line}").leak();
            let error = parse(table, &names(&["a", "b"])).expect_err(line);
            assert_eq!(error.to_string(), mistake);
        }
    }
}
