//! `arena club invite --csv`: the authors of a list, such as a class.

use super::DataArgs;
use crate::args::Form;
use crate::console::Console;
use crate::failure::Failure;
use crate::output::Invitations;
use arena_club::{Address, ClubError, Slip, name_of};
use arena_engine::Error;
use arena_files::FileError;
use arena_text::{counted, shown};
use csv::{ReaderBuilder, StringRecord, Trim};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// The largest list that is read, in bytes. Chosen: a school of ten thousand with a line of 100 letters each.
const LIST_BYTES_MAX: u64 = 1 << 20;

/// The column with the names of authors.
const COLUMN: &str = "name";

/// Invites the authors of a list, and prints it with their tokens.
pub(super) fn invite(path: &Path, data: &DataArgs, console: &mut Console) -> Result<(), Failure> {
    let (header, rows) = read(path)?;
    let column = header.iter().position(|name| name.eq_ignore_ascii_case(COLUMN)).ok_or_else(|| {
        let what = format!("{} has no column `{COLUMN}` in its first line", shown(path));
        Failure::usage(what, "write the names of the columns into the first line: name,e-mail")
    })?;
    let names: Vec<String> = rows.iter().map(|row| name_of(row.get(column).unwrap_or_default())).collect();
    if names.is_empty() {
        return Err(Failure::usage(
            format!("{} has no names", shown(path)),
            "write each author into a line of its own",
        ));
    }
    if let Some(second) = (0..names.len()).find(|&index| names[..index].contains(&names[index])) {
        let what = format!("{} has the author {} twice", shown(path), names[second]);
        return Err(Failure::usage(what, "give each author another name, such as `ann-b`"));
    }
    let organiser = data.organiser();
    let tokens = organiser.invite_all(&names)?;
    let others = |row: &StringRecord| -> Vec<String> {
        row.iter()
            .enumerate()
            .filter(|(index, _)| *index != column)
            .map(|(_, cell)| cell.to_owned())
            .collect()
    };
    let with_tokens = names.iter().zip(&tokens).zip(&rows).map(|((author, token), row)| {
        [vec![author.clone(), token.clone().unwrap_or_default()], others(row)].concat()
    });
    let header = [vec!["author".into(), "token".into()], others(&header)].concat();
    let list = Invitations { header, rows: with_tokens.collect() };
    let invited: Vec<&String> =
        names.iter().zip(&tokens).filter_map(|(author, token)| token.as_ref().map(|_| author)).collect();
    if let Err(error) = console.show(&list, Form::Csv) {
        // The tokens are lost, and an author with a token cannot be invited again.
        invited.into_iter().try_for_each(|author| organiser.revoke(author))?;
        return Err(error.into());
    }
    if invited.len() < names.len() {
        let known = counted(names.len() - invited.len(), "author");
        console.note(format!("{known} had a token already, and keep it: that cell is empty"));
    }
    console.note(format!(
        "{} invited: send each their token, because it is printed only once",
        counted(invited.len(), "author")
    ));
    Ok(())
}

/// The first line of a list, and the others that are not empty.
fn read(path: &Path) -> Result<(StringRecord, Vec<StringRecord>), Failure> {
    let next = "save it in a spreadsheet as comma-separated values, in UTF-8";
    let text = arena_files::read_text(path, LIST_BYTES_MAX)
        .map_err(|error| Error::unreadable(shown(path), error, "list", next))?;
    // Where a comma is in numbers, spreadsheets separate by semicolons.
    let first = text.lines().next().unwrap_or_default();
    let delimiter = if first.contains(';') && !first.contains(',') { b';' } else { b',' };
    let mut lines = ReaderBuilder::new().delimiter(delimiter).trim(Trim::All).from_reader(text.as_bytes());
    let wrong = |error: csv::Error| Failure::usage(format!("{}: {error}", shown(path)), next);
    let header = lines.headers().map_err(wrong)?.clone();
    let rows = lines.records().collect::<Result<Vec<_>, _>>().map_err(wrong)?;
    Ok((header, rows.into_iter().filter(|row| row.iter().any(|cell| !cell.is_empty())).collect()))
}

/// Makes a page for printing from the list of tokens that `invite` has printed.
pub(super) fn slips(list: &Path, page: &Path, to: &Address, console: &mut Console) -> Result<(), Failure> {
    let (header, rows) = read(list)?;
    let column = |wanted: &str| {
        header.iter().position(|name| name == wanted).ok_or_else(|| {
            let what = format!("{} has no column `{wanted}` in its first line", shown(list));
            Failure::usage(what, "name the list that `arena club invite --csv` has printed")
        })
    };
    let (author, token) = (column("author")?, column("token")?);
    let cell = |row: &StringRecord, column| row.get(column).unwrap_or_default().to_owned();
    let slips: Vec<Slip> = rows
        .iter()
        .map(|row| Slip { author: cell(row, author), token: cell(row, token) })
        .filter(|slip| !slip.token.is_empty())
        .collect();
    let html = arena_club::slips(to, &slips);
    if page.exists() {
        return Err(ClubError::FileExists { file: page.to_owned() }.into());
    }
    let file = arena_files::open_or_create_private(page).map_err(FileError::into);
    file.and_then(|mut file: File| file.write_all(html.as_bytes())).map_err(|error: io::Error| {
        let next = "name a new file in a folder that can be written";
        Error::machine(format!("cannot write {}", shown(page)), error, next)
    })?;
    console.line(format!("{}: has {}", shown(page), counted(slips.len(), "page")))?;
    console.note("next: open it in a browser, print it, and delete it; who has a token submits bots in its author's name");
    Ok(())
}
