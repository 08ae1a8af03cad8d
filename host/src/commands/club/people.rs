//! `arena club` on people: who sees them, by which name, until when, and what organisers have done with them.

use super::DataArgs;
use crate::console::Console;
use crate::failure::Failure;
use arena_club::ClubError;
use arena_pages::time_in_words;
use arena_text::table;

/// Puts the pages behind a new code, makes them public, or prints the code.
pub(super) fn code(
    data: &DataArgs,
    is_new: bool,
    is_public: bool,
    console: &mut Console,
) -> Result<(), Failure> {
    let code = match is_new || is_public {
        true => data.organiser().set_class_code(is_new)?,
        false => data.folder().class_code()?,
    };
    match code {
        Some(code) => {
            console.line(code)?;
            console
                .note("who gives this code sees the pages; a club that is served asks for it within seconds");
        }
        None => console.note("the pages are public"),
    }
    Ok(())
}

/// Deletes an author.
pub(super) fn delete(
    author: &str,
    data: &DataArgs,
    confirm: &str,
    console: &mut Console,
) -> Result<(), Failure> {
    if author != confirm {
        return Err(ClubError::NotConfirmed { name: author.to_owned() }.into());
    }
    let (label, is_removed) = data.organiser().delete_author(author)?;
    console.line(format!("{author} is deleted; the games stay under the label {label}"))?;
    if !is_removed {
        console.note("the club that is served removes the files, and writes its pages again, within seconds");
    }
    console.note("backups, logs of the process and copies of the pages have the name still");
    Ok(())
}

/// Lists the authors.
pub(super) fn authors(data: &DataArgs, console: &mut Console) -> Result<(), Failure> {
    let all = data.folder().authors()?;
    if all.is_empty() {
        console.note("no author is invited");
        return Ok(());
    }
    let rows = all.into_iter().map(|author| {
        let state = match (author.has_token, author.disqualified) {
            (false, _) => "revoked".to_owned(),
            (true, Some(reason)) => format!("disqualified: {reason}"),
            (true, None) => "takes part".to_owned(),
        };
        vec![author.name, author.pseudonym.unwrap_or_else(|| "–".to_owned()), state]
    });
    Ok(console.line(table(&["author", "shown as", "state"], &[0, 1, 2], rows))?)
}

/// Lists what organisers have done.
pub(super) fn actions(data: &DataArgs, console: &mut Console) -> Result<(), Failure> {
    let all = data.folder().actions()?;
    if all.is_empty() {
        console.note("nothing was done yet");
        return Ok(());
    }
    let rows = all.into_iter().map(|it| {
        let who = it.organiser.unwrap_or_else(|| "a command".to_owned());
        let detail = it.detail.replace('\n', " ");
        vec![time_in_words(&it.at), who, it.what, it.author.unwrap_or_else(|| "–".to_owned()), detail]
    });
    Ok(console.line(table(&["time", "who", "what", "author", "text"], &[0, 1, 2, 3, 4], rows))?)
}
