//! What an organiser does with a club, at the command line or on the page for organisers: the same functions, and each is noted.

use crate::error::ClubError;
use crate::folder::Folder;
use crate::token;
use arena_store::{Action, ClassCode, Dates, JoinLink, ListedAuthor, NewAction, Season};
use arena_text::Line;
use std::fs;
use std::io;

/// The actions that are listed. Chosen: a page of them.
pub const ACTIONS_LISTED: u32 = 100;

/// An organiser at work. Each method does something to the club, also while it is served, and notes it in the log of actions.
#[derive(Clone, Debug)]
pub struct Organiser {
    folder: Folder,
    /// `None` for a command on the club's machine.
    name: Option<String>,
}

impl Folder {
    /// The organiser with this name at work; `None` for a command on the club's machine.
    pub fn organised_by(&self, name: Option<&str>) -> Organiser {
        Organiser { folder: self.clone(), name: name.map(str::to_owned) }
    }

    /// The authors but those who were deleted, in the order in which they were invited.
    ///
    /// # Errors
    /// There is no club.
    pub fn authors(&self) -> Result<Vec<ListedAuthor>, ClubError> {
        self.register()?.list_authors().map_err(|error| self.failure(error))
    }

    /// The names of the organisers who may sign in.
    ///
    /// # Errors
    /// There is no club.
    pub fn organisers(&self) -> Result<Vec<String>, ClubError> {
        self.register()?.organisers().map_err(|error| self.failure(error))
    }

    /// The latest actions of organisers, at most [`ACTIONS_LISTED`], the latest first.
    ///
    /// # Errors
    /// There is no club.
    pub fn actions(&self) -> Result<Vec<Action>, ClubError> {
        self.register()?.actions(ACTIONS_LISTED).map_err(|error| self.failure(error))
    }

    /// The code without which nobody sees the pages; `None` when they are public.
    ///
    /// # Errors
    /// There is no club.
    pub fn class_code(&self) -> Result<Option<String>, ClubError> {
        let code = self.register()?.class_code().map_err(|error| self.failure(error))?;
        Ok(code.map(|code| code.code))
    }

    /// Removes the pages, which have names that have changed. The process that serves the club writes them again.
    pub(crate) fn remove_sites(&self) -> Result<(), ClubError> {
        for season in self.season_files(self.season()?.number) {
            match fs::remove_dir_all(&season.site) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(self.unwritable(&season.site, error));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl Organiser {
    /// Notes what was done about an author, with a text of the organiser.
    fn note(&self, author: Option<&str>, what: &str, detail: &str) -> Result<(), ClubError> {
        let organiser = self.name.as_deref();
        let text = Line::<200>::from(detail);
        tracing::info!(organiser = organiser.unwrap_or("command"), author, what, %text, "organised");
        let action = NewAction { organiser, author, what, detail };
        self.folder.register()?.note_action(&action).map_err(|error| self.folder.failure(error))
    }

    /// Enters an author, and returns the author's new token, of which only a hash is kept. The club is made if there is none.
    ///
    /// # Errors
    /// The name is wrong or known, or the register cannot be written.
    pub fn invite(&self, name: &str) -> Result<String, ClubError> {
        let token = self.invite_all(&[name.to_owned()])?.pop().flatten();
        token.ok_or_else(|| ClubError::AuthorKnown { name: name.to_owned() })
    }

    /// Enters authors, and returns their new tokens: `None` for an author who has one, and keeps it. The club is made if there is none.
    ///
    /// # Errors
    /// A name is wrong or like another one, and no author is entered; or the register cannot be written.
    pub fn invite_all(&self, names: &[String]) -> Result<Vec<Option<String>>, ClubError> {
        let tokens = self.folder.invite_all(names)?;
        let invited = names.iter().zip(&tokens).filter(|(_, token)| token.is_some());
        invited.into_iter().try_for_each(|(name, _)| self.note(Some(name), "invited", ""))?;
        Ok(tokens)
    }

    /// Opens a link with a new code by which this many people become authors, at most [`PLACES_MAX`](crate::PLACES_MAX), or closes it with
    /// `None`. The club is made if there is none.
    ///
    /// # Errors
    /// The register cannot be written, or the system has no random numbers.
    pub fn set_join_link(&self, places: Option<u32>) -> Result<Option<JoinLink>, ClubError> {
        let link = self.folder.set_join_link(places)?;
        match &link {
            Some(link) => self.note(None, "opened the link to join", &format!("places: {}", link.places))?,
            None => self.note(None, "closed the link to join", "")?,
        }
        Ok(link)
    }

    /// Puts the pages behind a new code, which is returned, or makes them public.
    ///
    /// # Errors
    /// The register cannot be written, or the system has no random numbers.
    pub fn set_class_code(&self, is_needed: bool) -> Result<Option<String>, ClubError> {
        let code = match is_needed {
            true => Some(ClassCode { code: token::fresh_code()?, cookie: token::fresh()? }),
            false => None,
        };
        let set = self.folder.make()?.set_class_code(code.as_ref());
        set.map_err(|error| self.folder.failure(error))?;
        let what = if is_needed { "put the pages behind a new code" } else { "made the pages public" };
        self.note(None, what, "")?;
        Ok(code.map(|code| code.code))
    }

    /// Revokes the token of an author. The author's bot then does not play, and its games stay.
    ///
    /// # Errors
    /// There is no such author, or the register cannot be written.
    pub fn revoke(&self, author: &str) -> Result<(), ClubError> {
        self.folder.revoke(author)?;
        self.note(Some(author), "revoked the token", "")
    }

    /// Disqualifies an author for a reason: the author's bot plays no more, and its games stay. With `None`, it plays again.
    ///
    /// # Errors
    /// There is no such author, or the register cannot be written.
    pub fn disqualify(&self, author: &str, reason: Option<&str>) -> Result<(), ClubError> {
        self.folder.disqualify(author, reason)?;
        let what = if reason.is_some() { "disqualified" } else { "took back the disqualification" };
        self.note(Some(author), what, reason.unwrap_or_default())
    }

    /// Sets the name that the pages show for an author, who cannot change it then, or removes it.
    ///
    /// # Errors
    /// The name is wrong, or like that of another author, there is no such author, or the register cannot be written.
    pub fn set_pseudonym(&self, author: &str, pseudonym: Option<&str>) -> Result<(), ClubError> {
        self.folder.set_pseudonym(author, pseudonym, true)?;
        let what = if pseudonym.is_some() { "set the pseudonym" } else { "removed the pseudonym" };
        self.note(Some(author), what, pseudonym.unwrap_or_default())
    }

    /// Deletes the components of an author's versions with these numbers. Their games stay, and cannot be played again. Returns true if the
    /// files are removed; otherwise the process that serves the club does it within seconds.
    ///
    /// # Errors
    /// One of the versions does not exist or has no component: then none is deleted. Or the register cannot be written.
    pub fn delete_versions(&self, author: &str, numbers: &[u32]) -> Result<bool, ClubError> {
        let is_removed = self.folder.delete_versions(author, numbers)?;
        let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
        self.note(Some(author), "deleted the components of versions", &numbers.join(", "))?;
        Ok(is_removed)
    }

    /// Deletes an author: the name, the token, the components, the logs and the findings. The games stay under the label that journals have
    /// for the author, which is returned, with true if the files are removed; otherwise the process that serves the club does it within
    /// seconds.
    ///
    /// # Errors
    /// There is no such author, or a file cannot be written.
    pub fn delete_author(&self, author: &str) -> Result<(String, bool), ClubError> {
        let Self { folder, .. } = self;
        let label = folder.register()?.delete_author(author).map_err(|error| folder.failure(error))?;
        let label = label.ok_or_else(|| folder.unknown_author(author))?;
        let is_removed = folder.remove_deleted_unless_served()?;
        folder.remove_sites()?;
        self.note(Some(&label), "deleted the author", "")?;
        Ok((label, is_removed))
    }

    /// Freezes the season that is played: no bots are taken, and those that play go on. With `false`, bots are taken again.
    ///
    /// # Errors
    /// It is in that state already, or over, or the register cannot be written.
    pub fn freeze(&self, is_frozen: bool) -> Result<Season, ClubError> {
        let season = self.folder.freeze(is_frozen)?;
        self.note(None, if is_frozen { "froze the season" } else { "took bots again" }, "")?;
        Ok(season)
    }

    /// Changes the dates of the season that is played, and returns it.
    ///
    /// # Errors
    /// They are not in their order, the season is over, or the register cannot be written.
    pub fn change_dates(&self, change: impl FnOnce(&mut Dates)) -> Result<Season, ClubError> {
        let season = self.folder.change_dates(change)?;
        let dates: Vec<String> = season.dates.set().map(|(what, time)| format!("{what} {time}")).collect();
        self.note(None, "set the dates", &dates.join(", "))?;
        Ok(season)
    }

    /// Announces a text. Its paragraphs are separated by empty lines.
    ///
    /// # Errors
    /// The text is empty or too long, or the register cannot be written.
    pub fn announce(&self, text: &str) -> Result<(), ClubError> {
        self.folder.announce(text)?;
        self.note(None, "announced", text)
    }

    /// Withdraws the announcement with this number.
    ///
    /// # Errors
    /// There is no such announcement, or the register cannot be written.
    pub fn withdraw(&self, id: i64) -> Result<(), ClubError> {
        self.folder.withdraw(id)?;
        self.note(None, "withdrew an announcement", &id.to_string())
    }

    /// Enters an organiser, and returns a new token, of which only a hash is kept. The club is made if there is none.
    ///
    /// # Errors
    /// The name is wrong or known, or the register cannot be written.
    pub fn add(&self, name: &str) -> Result<String, ClubError> {
        let (Self { folder, .. }, name_of) = (self, || name.to_owned());
        if !token::is_name(name) {
            return Err(ClubError::WrongName { name: name_of() });
        }
        let token = token::fresh()?;
        let added = folder.make()?.add_organiser(name, &token::hash(&token));
        if !added.map_err(|error| folder.failure(error))? {
            return Err(ClubError::OrganiserKnown { name: name_of() });
        }
        self.note(None, "entered an organiser", name)?;
        Ok(token)
    }

    /// Revokes the token of an organiser, whose sessions end.
    ///
    /// # Errors
    /// There is no such organiser, or the register cannot be written.
    pub fn remove(&self, name: &str) -> Result<(), ClubError> {
        let removed = self.folder.register()?.revoke_organiser(name);
        if !removed.map_err(|error| self.folder.failure(error))? {
            return Err(ClubError::NoOrganiser { name: name.to_owned() });
        }
        self.note(None, "revoked the token of an organiser", name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::club::ClubOptions;
    use crate::support::{Setting, bot, club};
    use std::path::Path;

    /// A club with two seasons, in which ann and ben have played, and its organiser at work.
    fn played() -> (Setting, Organiser) {
        let it = club(ClubOptions::default());
        it.admit(&it.author("Annabel"), &bot("builtin:random", 10));
        it.admit(&it.author("ben"), &bot("builtin:hunter", 10));
        it.play();
        let it = it.between(|folder| {
            folder.reveal().expect("it has games");
            folder.new_season().expect("the season is over");
        });
        it.play();
        write(&it);
        assert_eq!(it.club.season(), 2);
        let organiser = it.folder.organised_by(Some("eve"));
        (it, organiser)
    }

    #[test]
    fn the_pages_have_the_title_of_the_club_or_the_name_of_its_folder() {
        let it = club(ClubOptions::default());
        assert_eq!(it.folder.title(None), "club");
        assert_eq!(it.folder.title(Some("Class 7b")), "Class 7b");
    }

    fn write(it: &Setting) {
        for season in [1, 2] {
            it.write_pages(season);
        }
    }

    /// The files below a folder that have a text.
    fn with(folder: &Path, text: &str) -> Vec<String> {
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).expect("it can be read").flatten() {
            let path = entry.path();
            if path.is_dir() {
                found.extend(with(&path, text));
            } else if String::from_utf8_lossy(&fs::read(&path).expect("it can be read")).contains(text) {
                found.push(path.display().to_string());
            }
        }
        found
    }

    #[test]
    fn a_journal_has_no_name_and_the_pages_have_the_pseudonym_of_today() {
        let (it, organiser) = played();
        let has = |text: &str| it.get("/").1.contains(text);
        assert!(has("Annabel") && has("ben") && !has("author.1"));
        let journals = [it.folder.journal(), it.folder.past_journal(1)];
        let journals_have = |text: &str| {
            journals.iter().any(|file| String::from_utf8_lossy(&fs::read(file).unwrap()).contains(text))
        };
        assert!(!journals_have("Annabel") && journals_have("author.1"));
        let (season, _) = arena_engine::StoredSeason::read(&journals[0]).expect("it can be read");
        assert!(season.content.tournament.bots.iter().all(|bot| bot.name.is_empty()));
        assert!(it.get("/seasons/1/index.html").1.contains("Annabel"));
        organiser.set_pseudonym("Annabel", Some("falcon")).expect("it is a name");
        write(&it);
        let of_season = |season: u32| format!("/seasons/{season}/index.html");
        assert!(has("falcon") && !has("Annabel"));
        assert!(it.get(&of_season(1)).1.contains("falcon") && !it.get(&of_season(1)).1.contains("Annabel"));
        let (_, standings) = it.get("/api/v1/standings");
        assert!(standings.contains("falcon") && !standings.contains("Annabel"), "{standings}");
        assert_eq!(with(&it.folder.site(), "Annabel"), Vec::<String>::new());
        assert_eq!(
            with(&it.folder.site().join("games"), "author."),
            Vec::<String>::new(),
            "replays have names, too"
        );
        assert!(
            it.folder.marks(None).unwrap().iter().any(|row| row.author == "Annabel"),
            "it is the organiser's"
        );
        organiser.set_pseudonym("Annabel", None).expect("there is one");
        write(&it);
        assert!(has("Annabel") && !has("falcon"));
    }

    #[test]
    fn the_name_of_an_author_who_is_deleted_is_in_no_file_and_the_games_stay() {
        let (it, organiser) = played();
        organiser.disqualify("Annabel", Some("Annabel and Anna are one")).expect("there is one");
        organiser.set_pseudonym("Annabel", Some("falcon")).expect("it is a name");
        let games = |journal: &Path| {
            let (season, _) = arena_engine::StoredSeason::read(journal).expect("it can be read");
            (season.content.head.map(|head| head.sha256), season.content.known.len())
        };
        let before = [it.folder.journal(), it.folder.past_journal(1)].map(|file| games(&file));
        let (label, is_removed) = organiser.delete_author("Annabel").expect("there is one");
        assert_eq!((label.as_str(), is_removed), ("author.1", false), "the club is served");
        it.play();
        it.club.state.remove_deleted().expect("they can be removed");
        it.club.pages.close();
        it.club.state.forget_names();
        write(&it);
        for text in ["Annabel", "falcon"] {
            assert_eq!(with(it.folder.path(), text), Vec::<String>::new());
        }
        let after = [it.folder.journal(), it.folder.past_journal(1)].map(|file| games(&file));
        assert_eq!(before, after);
        let (_, page) = it.get("/");
        assert!(page.contains("author.1") && page.contains("ben"), "{page}");
        assert!(it.folder.versions(None).unwrap().iter().all(|it| it.author == "ben"));
        let latest = it.folder.actions().unwrap().remove(0);
        assert_eq!(
            (latest.author.as_deref(), latest.what.as_str()),
            (Some("author.1"), "deleted the author")
        );
        assert!(matches!(organiser.delete_author("Annabel"), Err(ClubError::UnknownAuthor { .. })));
        assert!(matches!(organiser.delete_author("author.1"), Err(ClubError::UnknownAuthor { .. })));
        // The name is free again, for another person.
        organiser.invite("Annabel").expect("it is free");
        assert!(it.folder.versions(Some("Annabel")).unwrap()[0].versions.is_empty());
    }

    #[test]
    fn the_pages_of_a_club_that_is_not_served_go_with_a_name() {
        let (it, _) = played();
        let it = it.between(|folder| {
            let (_, is_removed) = folder.organised_by(None).delete_author("Annabel").expect("there is one");
            assert!(is_removed && !folder.site().exists() && !folder.past_site(1).exists());
        });
        assert_eq!(with(it.folder.path(), "Annabel"), Vec::<String>::new());
    }
}
