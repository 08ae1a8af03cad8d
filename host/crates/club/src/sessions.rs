//! The sessions of authors and organisers in browsers: a cookie stands for a token, and forms prove that they are the club's own.
//!
//! A session ends with the process, after its time, when its author signs out, and when the token is revoked: each request looks the
//! token up.

use crate::error::ClubError;
use crate::token;
use axum::http::header::{COOKIE, HeaderMap};
use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time of a session. Chosen: a day at a hackathon.
const SESSION_TIME: Duration = Duration::from_secs(12 * 60 * 60);

/// The most sessions of a token; a further one ends the oldest. Chosen: the devices of an author, with some to spare.
const SESSIONS_MAX: usize = 8;

/// The name of the cookie.
const NAME: &str = "arena_club";

/// The sessions, by the SHA-256 of what the cookie has.
#[derive(Default)]
pub(crate) struct Sessions(Mutex<HashMap<[u8; 32], Session>>);

/// A session.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    /// The SHA-256 of the token of the author or the organiser.
    pub(crate) token: [u8; 32],
    /// The text that each form of the session has.
    pub(crate) form: String,
    until: Instant,
}

impl Sessions {
    fn all(&self) -> MutexGuard<'_, HashMap<[u8; 32], Session>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a session of the token with this SHA-256, and returns the value of its cookie.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub(crate) fn begin(&self, token: [u8; 32]) -> Result<String, ClubError> {
        let id = token::fresh()?;
        let now = Instant::now();
        let mut all = self.all();
        all.retain(|_, session| session.until > now);
        let of_token = || all.iter().filter(|(_, session)| session.token == token);
        if of_token().count() >= SESSIONS_MAX {
            let oldest = of_token().min_by_key(|(_, session)| session.until).map(|(id, _)| *id);
            oldest.map(|oldest| all.remove(&oldest));
        }
        let session = Session { token, form: form_text(&id), until: now + SESSION_TIME };
        all.insert(token::hash(&id), session);
        Ok(id)
    }

    /// The session of a request.
    pub(crate) fn of(&self, headers: &HeaderMap) -> Option<Session> {
        let all = self.all();
        let now = Instant::now();
        ids(headers).find_map(|id| all.get(&token::hash(id)).filter(|session| session.until > now).cloned())
    }

    /// Ends the session of a request.
    pub(crate) fn end(&self, headers: &HeaderMap) {
        let mut all = self.all();
        ids(headers).for_each(|id| {
            all.remove(&token::hash(id));
        });
    }
}

impl Session {
    /// True for the text that a form of this session has. The time reveals nothing, because hashes are compared.
    pub(crate) fn has_form(&self, given: &str) -> bool {
        token::hash(given) == token::hash(&self.form)
    }
}

/// The text of the forms of a session. It follows from the cookie, which no other site can read, and does not reveal it.
fn form_text(id: &str) -> String {
    BASE64URL_NOPAD.encode(&Sha256::digest(format!("form of {id}")))
}

/// What the cookies of sessions have.
fn ids(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    cookies(headers, NAME)
}

/// What the cookies of a name have. Another site on the same host may have set one of them.
pub(crate) fn cookies<'a>(headers: &'a HeaderMap, of: &'static str) -> impl Iterator<Item = &'a str> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs =
        cookies.flat_map(|cookies| cookies.split(';')).filter_map(|cookie| cookie.trim().split_once('='));
    pairs.filter(move |(name, _)| *name == of).map(|(_, id)| id)
}

/// The cookie of a session, for an answer to this request. It goes back to the folder of the request's path only, so the club may be
/// below a path of a proxy.
pub(crate) fn cookie(id: &str, request: &HeaderMap) -> String {
    let secure = if arena_web::is_tls(request) { "; Secure" } else { "" };
    format!("{NAME}={id}; Max-Age={}; HttpOnly; SameSite=Strict{secure}", SESSION_TIME.as_secs())
}

/// The cookie that removes that of a session.
pub(crate) fn no_cookie(request: &HeaderMap) -> String {
    let secure = if arena_web::is_tls(request) { "; Secure" } else { "" };
    format!("{NAME}=; Max-Age=0; HttpOnly; SameSite=Strict{secure}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{HeaderName, HeaderValue};

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pair = |&(name, value): &(&'static str, &str)| {
            (HeaderName::from_static(name), HeaderValue::from_str(value).expect("it is plain"))
        };
        pairs.iter().map(pair).collect()
    }

    #[test]
    fn a_session_is_found_by_its_cookie_until_it_ends() {
        let sessions = Sessions::default();
        let id = sessions.begin([1; 32]).expect("there are random numbers");
        let cookie = format!("a=b; {NAME}=other; {NAME}={id}");
        let session = sessions.of(&headers(&[("cookie", &cookie)])).expect("it has begun");
        assert_eq!(session.token, [1; 32]);
        assert!(session.has_form(&session.form) && !session.has_form(&id) && !session.has_form(""));
        for other in
            ["", "a=b", &format!("{NAME}="), &format!("{NAME}={}", session.form), &format!("x{NAME}={id}")]
        {
            assert!(sessions.of(&headers(&[("cookie", other)])).is_none(), "{other}");
        }
        sessions.end(&headers(&[("cookie", &cookie)]));
        assert!(sessions.of(&headers(&[("cookie", &cookie)])).is_none());
        // Its time is over.
        let cookie = format!("{NAME}={}", sessions.begin([1; 32]).expect("there are random numbers"));
        assert!(sessions.of(&headers(&[("cookie", &cookie)])).is_some());
        sessions.all().values_mut().for_each(|session| session.until = Instant::now());
        assert!(sessions.of(&headers(&[("cookie", &cookie)])).is_none());
    }

    #[test]
    fn a_token_has_a_number_of_sessions_and_the_oldest_ends_first() {
        let sessions = Sessions::default();
        let begin = |token| sessions.begin([token; 32]).expect("there are random numbers");
        let is_on = |id: &str| sessions.of(&headers(&[("cookie", &format!("{NAME}={id}"))])).is_some();
        let other = begin(2);
        let mut ids: Vec<String> = (0..8).map(|_| begin(1)).collect();
        assert!(ids.iter().all(|id| is_on(id)), "eight are on");
        ids.push(begin(1));
        assert!(!is_on(&ids[0]) && ids[1..].iter().all(|id| is_on(id)) && is_on(&other));
    }

    #[test]
    fn a_cookie_is_secure_where_the_browser_speaks_tls() {
        for (request, is_secure) in [
            (headers(&[]), false),
            (headers(&[("origin", "http://club")]), false),
            (headers(&[("origin", "https://club")]), true),
            (headers(&[("x-forwarded-proto", "https")]), true),
        ] {
            for cookie in [cookie("id", &request), no_cookie(&request)] {
                assert_eq!(cookie.contains("; Secure"), is_secure, "{request:?}");
                assert!(cookie.contains("; HttpOnly; SameSite=Strict"), "{cookie}");
            }
        }
    }
}
