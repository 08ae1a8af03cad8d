//! Pseudonyms: the name that the pages show for an author, chosen by the author or set by the organiser.

use crate::error::ClubError;
use crate::folder::Folder;
use crate::requests::ShownAs;
use crate::state::State;
use crate::token;
use crate::uploads::Refusal;
use arena_store::{Author, Renamed};
use axum::http::StatusCode;
use std::sync::Arc;

impl Folder {
    /// Sets the name that the pages show for an author, or removes it, also while the club is served.
    ///
    /// # Errors
    /// The name is wrong, or looks like that of another author; the organiser has set it, and it is not the organiser who changes it; there is
    /// no such author; or the register cannot be written.
    pub(crate) fn set_pseudonym(
        &self,
        author: &str,
        pseudonym: Option<&str>,
        is_by_organiser: bool,
    ) -> Result<(), ClubError> {
        if let Some(name) = pseudonym.filter(|name| !token::is_name(name)) {
            return Err(ClubError::WrongName { name: name.to_owned() });
        }
        let set = self.register()?.set_pseudonym(author, pseudonym, is_by_organiser);
        match set.map_err(|error| self.failure(error))? {
            Renamed::Done => self.remove_sites(),
            Renamed::Unknown => Err(self.unknown_author(author)),
            Renamed::Alike(other) => {
                Err(ClubError::SimilarAuthor { name: pseudonym.unwrap_or_default().to_owned(), other })
            }
            Renamed::Fixed => Err(ClubError::FixedPseudonym),
        }
    }
}

impl State {
    /// Sets the pseudonym that an author has typed. The own name, or none, removes it.
    ///
    /// # Errors
    /// As of [`Folder::set_pseudonym`], or the author has tried too often.
    pub(crate) async fn choose_pseudonym(
        self: &Arc<Self>,
        author: Author,
        typed: &str,
    ) -> Result<ShownAs, Refusal> {
        let name = token::name_of(typed);
        let pseudonym = Some(name).filter(|name| !name.is_empty() && *name != author.name);
        self.pseudonym_tries.add(author.id, self.now())?;
        let shown_as = pseudonym.as_deref().unwrap_or(&author.name).into();
        let set = move |state: &Self| {
            Ok(state.folder.set_pseudonym(&author.name, pseudonym.as_deref(), false).map(|()| {
                tracing::info!(author = %author.name, pseudonym, "chose a pseudonym");
            }))
        };
        self.blocking(set).await?.map_err(|error| refusal(&error))?;
        self.note_change();
        Ok(ShownAs { shown_as })
    }
}

/// The refusal of a name, in the words of the command line, but for the names of others, which pseudonyms hide.
fn refusal(error: &ClubError) -> Refusal {
    let status = match error {
        ClubError::WrongName { .. } => StatusCode::BAD_REQUEST,
        ClubError::SimilarAuthor { name, .. } => {
            let what = format!("{name}: another author has a name or a pseudonym that looks like it");
            return Refusal::new(StatusCode::CONFLICT, what, "choose another name");
        }
        ClubError::FixedPseudonym => StatusCode::FORBIDDEN,
        _ => return Refusal::of_club(),
    };
    let text = error.to_string();
    let (what, next) = text.split_once("\n  next: ").unwrap_or((&text, ""));
    Refusal::new(status, what, next)
}

#[cfg(test)]
mod tests {
    use crate::club::ClubOptions;
    use crate::support::{Setting, club, cookie, played_club};
    use axum::body::Body;
    use axum::http::Request;

    /// The status and the text of the answer to a pseudonym, from the author with this token.
    fn choose(it: &Setting, token: &str, name: &str) -> (u16, String) {
        let request = Request::post("/mine/pseudonym").header("authorization", format!("Bearer {token}"));
        let answer = it.send(request.body(Body::from(name.to_owned())).expect("it is right"), "127.0.0.1");
        (answer.status().as_u16(), it.text(answer))
    }

    #[test]
    fn an_author_chooses_the_name_that_the_pages_show_and_takes_it_back() {
        let it = played_club();
        let shown = || {
            it.write_pages(1);
            it.get("/").1
        };
        assert!(shown().contains("ann"));
        assert_eq!(choose(&it, "ann", " Red  Falcon\n"), (200, r#"{"shown-as":"Red-Falcon"}"#.into()));
        let page = shown();
        assert!(page.contains("Red-Falcon") && !page.contains("ann<"), "{page}");
        let listed = it.folder.authors().expect("they can be read").remove(0);
        assert_eq!((listed.name.as_str(), listed.pseudonym.as_deref()), ("ann", Some("Red-Falcon")));
        assert_eq!(choose(&it, "ann", "ann"), (200, r#"{"shown-as":"ann"}"#.into()));
        assert!(!shown().contains("Red-Falcon"));
    }

    #[test]
    fn a_pseudonym_is_a_name_and_looks_like_that_of_no_other_author() {
        let it = club(ClubOptions::default());
        ["ann", "ben", "Łukasz"].into_iter().for_each(|name| drop(it.author(name)));
        it.folder.organised_by(None).set_pseudonym("ben", Some("falcon")).expect("it is a name");
        for (name, status, why) in [
            ("BEN", 409, "another author"),
            ("ｆａｌｃｏｎ", 409, "another author"),
            ("łUKASZ", 409, "another author"),
            ("b\u{435}n", 400, "is not a name"),
            ("author.2", 400, "is not a name"),
            ("<b>", 400, "is not a name"),
            (&"ü".repeat(25), 400, "is not a name"),
            ("李明", 200, "李明"),
            (&"ü".repeat(24), 200, "ü"),
        ] {
            let (answered, text) = choose(&it, "ann", name);
            assert!(answered == status && text.contains(why), "{name}: {answered} {text}");
        }
        let (status, text) = choose(&it, "ben", "hawk");
        assert!(status == 403 && text.contains("the organiser has set"), "{status} {text}");
        assert_eq!(choose(&it, "eve", "hawk").0, 401, "who has no token chooses none");
    }

    #[test]
    fn the_page_of_an_author_has_a_form_for_it() {
        let it = club(ClubOptions::default());
        it.author("ann");
        let cookie = cookie(&it.post("/me/sign-in", &[], &[("token", "ann")], "127.0.0.1"));
        let page = || it.text(it.ask_with("/me/", &[("cookie", &cookie)]));
        let form = page();
        let form = form.split("name=\"form\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
        let form = form.expect("it has forms").to_owned();
        let send = |form: &str, name: &str| {
            let fields = [("form", form), ("name", name)];
            it.post("/me/name", &[("cookie", &cookie)], &fields, "127.0.0.1").status().as_u16()
        };
        assert!(page().contains("The pages show <bdi>ann</bdi>"), "{}", page());
        assert_eq!([send("x", "falcon"), send(&form, "falcon"), send(&form, "<b>")], [403, 303, 400]);
        assert!(page().contains("The pages show <bdi>falcon</bdi>") && page().contains("value=\"falcon\""));
        it.folder.organised_by(None).set_pseudonym("ann", Some("hawk")).expect("it is a name");
        let page = page();
        assert!(page.contains("The pages show <bdi>hawk</bdi>") && page.contains("organiser has set"));
        assert!(!page.contains("action=\"name\""), "{page}");
    }
}
