//! What the parts of a club share, and how they wake each other.

use crate::clock::Clock;
use crate::error::ClubError;
use crate::folder::Folder;
use crate::judging::Work;
use crate::live::Live;
use crate::logs::Logs;
use crate::metrics::Metrics;
use crate::replays::Replays;
use crate::requests::Standing;
use crate::sessions::Sessions;
use crate::tries::Tries;
use crate::uploads::{Refusal, Uploads};
use crate::wrong_codes::WrongCodes;
use arena_engine::Control;
use arena_pages::{Contest, Notices};
use arena_players::Contestant;
use arena_store::{Register, RegisterError};
use arena_text::Line;
use arena_web::Rooms;
use axum::http::StatusCode;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::sync::futures::Notified;
use tokio::task::spawn_blocking;

/// What the parts of a club share.
pub(crate) struct State {
    pub(crate) folder: Folder,
    /// The number of the season that is played, from 1.
    pub(crate) season: u32,
    /// The SHA-256 of the season's secret seed.
    pub(crate) commitment: String,
    pub(crate) component_bytes_max: u64,
    /// True if the season is over.
    is_season_over: bool,
    pub(crate) clock: Clock,
    pub(crate) uploads: Uploads,
    pub(crate) metrics: Metrics,
    pub(crate) sessions: Sessions,
    pub(crate) wrong_codes: WrongCodes,
    pub(crate) pseudonym_tries: Tries,
    pub(crate) logs: Arc<Logs>,
    pub(crate) replays: Replays,
    pub(crate) live: Live,
    /// The games of visitors, if the club has any.
    pub(crate) rooms: OnceLock<Arc<Rooms>>,
    register: Mutex<Register>,
    /// The SHA-256 of what the cookie has without which nobody sees the pages; `None` when they are public.
    pub(crate) class_cookie: Mutex<Option<[u8; 32]>>,
    /// The most bytes of an author's bots, logs and replays; `None` for no limit.
    pub(crate) author_bytes_max: Option<u64>,
    /// The bytes that those of an author take, or somewhat more, by the author's name.
    taken: Mutex<HashMap<String, u64>>,
    /// The standings of all versions that have played, by their SHA-256.
    standings: Mutex<HashMap<String, Standing>>,
    /// The bots that have played all games that are planned, by their SHA-256; none while a stage is played.
    played_out: Mutex<HashSet<String>>,
    /// The version that is being judged, by its number in the register; 0 for none. It changes while the register is held.
    judged: AtomicI64,
    /// The bots that this process has admitted, by their SHA-256.
    admitted: Mutex<HashMap<String, Contestant>>,
    /// Grows with each change that somebody may wait for.
    changes: Mutex<u64>,
    changed: Condvar,
    /// Wakes the requests that wait for a change, as `changed` wakes threads.
    changed_for_requests: Notify,
    is_over: AtomicBool,
    /// True if the pages are older than the games.
    is_site_old: AtomicBool,
    /// The stage that is being played.
    stage: Mutex<Option<Control>>,
    #[cfg(test)]
    notes: Mutex<Vec<String>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    /// The state of a club that begins to be served.
    pub(crate) fn new(
        folder: &Folder,
        register: Register,
        season: u32,
        commitment: String,
        component_bytes_max: u64,
        author_bytes_max: Option<u64>,
        is_season_over: bool,
    ) -> Self {
        Self {
            folder: folder.clone(),
            // The numbers of games begin anew in each season.
            logs: Arc::new(Logs::at(folder.logs().join(&commitment))),
            season,
            commitment,
            component_bytes_max,
            is_season_over,
            clock: Clock::default(),
            uploads: Uploads::default(),
            metrics: Metrics::new(),
            sessions: Sessions::default(),
            wrong_codes: WrongCodes::default(),
            pseudonym_tries: Tries::default(),
            replays: Replays::default(),
            live: Live::default(),
            rooms: OnceLock::new(),
            register: Mutex::new(register),
            class_cookie: Mutex::default(),
            author_bytes_max,
            taken: Mutex::default(),
            standings: Mutex::default(),
            played_out: Mutex::default(),
            judged: AtomicI64::new(0),
            admitted: Mutex::default(),
            changes: Mutex::default(),
            changed: Condvar::new(),
            changed_for_requests: Notify::new(),
            is_over: AtomicBool::new(false),
            is_site_old: AtomicBool::new(false),
            stage: Mutex::default(),
            #[cfg(test)]
            notes: Mutex::default(),
        }
    }

    /// The same state with this clock.
    pub(crate) fn with_clock(self, clock: Clock) -> Self {
        Self { clock, ..self }
    }

    /// Notes something for the organiser, in the log.
    pub(crate) fn note(&self, text: String) {
        let text = Line::<500>::from(text);
        tracing::warn!("{text}");
        #[cfg(test)]
        locked(&self.notes).push(text.to_string());
    }

    /// Takes the notes since the last call.
    #[cfg(test)]
    pub(crate) fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut locked(&self.notes))
    }

    /// Does something with the register.
    ///
    /// # Errors
    /// The register fails.
    pub(crate) fn register<T>(
        &self,
        work: impl FnOnce(&mut Register) -> Result<T, RegisterError>,
    ) -> Result<T, ClubError> {
        work(&mut locked(&self.register)).map_err(|error| self.folder.failure(error))
    }

    /// Does something that waits for the disk, for a request.
    ///
    /// # Errors
    /// The work fails.
    pub(crate) async fn blocking<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, ClubError> + Send + 'static,
    ) -> Result<T, Refusal> {
        let state = Arc::clone(self);
        match spawn_blocking(move || work(&state)).await {
            Ok(done) => Ok(done?),
            Err(_) => Err(Refusal::of_club()),
        }
    }

    /// Does something with the register, for a request.
    ///
    /// # Errors
    /// The register fails.
    pub(crate) async fn with_register<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&mut Register) -> Result<T, RegisterError> + Send + 'static,
    ) -> Result<T, Refusal> {
        self.blocking(|state| state.register(work)).await
    }

    /// The reason why the season takes no bots; `None` when it takes them.
    ///
    /// # Errors
    /// The register fails.
    pub(crate) fn closed(&self) -> Result<Option<String>, ClubError> {
        let (season, now) = (self.register(|register| register.season())?, self.now());
        if self.is_season_over {
            return Ok(Some("it is over".to_owned()));
        }
        if let Some(end) = season.dates.end.filter(|end| end.seconds() <= now) {
            return Ok(Some(format!("it has ended on {end}")));
        }
        let frozen = |at: String| {
            format!("it is frozen since {}, and the bots that play go on", arena_pages::time_in_words(&at))
        };
        Ok(season.closed_since(now).map(frozen))
    }

    /// The dates as HTML, with the time that is left; empty when there are none, or when the season is over.
    ///
    /// # Errors
    /// The register cannot be read.
    pub(crate) fn dates_line(&self) -> Result<String, ClubError> {
        let dates = self.register(|register| register.season())?.dates;
        let notices = Notices { dates, ..Notices::default() };
        Ok(if self.is_season_over { String::new() } else { notices.dates_line(Some(self.now())) })
    }

    /// The time, in seconds since 1970.
    pub(crate) fn now(&self) -> i64 {
        self.clock.now()
    }

    /// Refuses a request that changes what is played, unless the season takes bots.
    ///
    /// # Errors
    /// The season is frozen or over, or the register fails.
    pub(crate) async fn require_open_season(self: &Arc<Self>) -> Result<(), Refusal> {
        let Some(why) = self.blocking(Self::closed).await? else { return Ok(()) };
        let what = format!("season {} takes no bots: {why}", self.season);
        Err(Refusal::new(StatusCode::FORBIDDEN, what, "wait for the next season, or ask the organiser"))
    }

    /// The version that is being judged, by its number in the register. Asked while the register is held.
    pub(crate) fn judged(&self) -> Option<i64> {
        Some(self.judged.load(Ordering::SeqCst)).filter(|&id| id != 0)
    }

    /// Chooses what is judged next among all that waits, from the register, and notes that judging it has begun.
    ///
    /// # Errors
    /// The register cannot be read.
    pub(crate) fn begin_judging(
        &self,
        choose: impl FnOnce(&mut Register) -> Result<Option<Work>, RegisterError>,
    ) -> Result<Option<Work>, ClubError> {
        self.register(|register| {
            let work = choose(register)?;
            let judged = match &work {
                Some(Work::Version(version)) => version.id,
                _ => 0,
            };
            self.judged.store(judged, Ordering::SeqCst);
            Ok(work)
        })
    }

    /// Removes the file of a component that no version needs. No upload of it can end at the same time, because that needs the
    /// register, too.
    ///
    /// # Errors
    /// The register cannot be read.
    pub(crate) fn forget_unneeded(&self, sha256: &str) -> Result<(), ClubError> {
        let file = self.folder.bot(sha256);
        self.register(|register| {
            if !register.needs(sha256)? {
                // If the file stays, it only takes room.
                let _ = std::fs::remove_file(file);
            }
            Ok(())
        })
    }

    /// The bytes that an author's bots, logs and replays take, or somewhat more, if they were measured.
    pub(crate) fn known_taken(&self, author: &str) -> Option<u64> {
        locked(&self.taken).get(author).copied()
    }

    pub(crate) fn set_taken(&self, author: &str, bytes: u64) {
        locked(&self.taken).insert(author.to_owned(), bytes);
    }

    /// Adds what an author's bots, logs and replays take more or less since they were measured.
    pub(crate) fn add_taken(&self, author: &str, bytes: i64) {
        if let Some(taken) = locked(&self.taken).get_mut(author) {
            *taken = taken.saturating_add_signed(bytes);
        }
    }

    /// Has everything measured again.
    pub(crate) fn forget_taken(&self) {
        locked(&self.taken).clear();
    }

    /// The size of the largest component, in MiB.
    pub(crate) fn component_mib_max(&self) -> u64 {
        self.component_bytes_max >> 20
    }

    /// True for a season before the one that is played.
    pub(crate) fn is_past(&self, season: u32) -> bool {
        (1..self.season).contains(&season)
    }

    /// The logs of a season. It may wait for the disk.
    pub(crate) fn logs_of(&self, season: u32) -> Arc<Logs> {
        match season == self.season {
            true => Arc::clone(&self.logs),
            false => Arc::new(Logs::at(self.folder.past_logs(season))),
        }
    }

    /// True if games were played in the season.
    pub(crate) fn has_played(&self) -> bool {
        !locked(&self.standings).is_empty()
    }

    /// The contest of the latest pages, for a request; `None` before the first game of the season.
    ///
    /// # Errors
    /// The pages are being written.
    pub(crate) fn contest(&self) -> Result<Option<Arc<Contest>>, Refusal> {
        match self.live.contest() {
            None if self.has_played() => {
                let what = "the pages are being written";
                Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, what, "ask again in some seconds"))
            }
            contest => Ok(contest),
        }
    }

    /// The standing of a version, if it has played.
    pub(crate) fn standing(&self, sha256: &str) -> Option<Standing> {
        locked(&self.standings).get(sha256).cloned()
    }

    pub(crate) fn set_standings(&self, standings: HashMap<String, Standing>) {
        *locked(&self.standings) = standings;
    }

    /// True if a bot has played all games that are planned.
    pub(crate) fn has_played_out(&self, sha256: &str) -> bool {
        locked(&self.played_out).contains(sha256)
    }

    pub(crate) fn set_played_out(&self, bots: HashSet<String>) {
        *locked(&self.played_out) = bots;
    }

    pub(crate) fn admitted(&self, sha256: &str) -> Option<Contestant> {
        locked(&self.admitted).get(sha256).cloned()
    }

    pub(crate) fn admit(&self, contestant: Contestant) {
        locked(&self.admitted).insert(contestant.id.sha256.to_string(), contestant);
    }

    /// Forgets admitted bots that do not play.
    pub(crate) fn keep_admitted(&self, plays: impl Fn(&str) -> bool) {
        locked(&self.admitted).retain(|sha256, _| plays(sha256));
    }

    /// The number of changes so far.
    pub(crate) fn changes(&self) -> u64 {
        *locked(&self.changes)
    }

    /// Notes a change, and wakes those who wait for one.
    pub(crate) fn note_change(&self) {
        *locked(&self.changes) += 1;
        self.changed.notify_all();
        self.changed_for_requests.notify_waiters();
    }

    /// Waits for a change after this number of them, for this time at most.
    pub(crate) fn wait(&self, after: u64, at_most: Duration) {
        let waits = |changes: &mut u64| *changes == after && !self.is_over();
        let changes = locked(&self.changes);
        drop(
            self.changed.wait_timeout_while(changes, at_most, waits).unwrap_or_else(PoisonError::into_inner),
        );
    }

    /// Waits for a change after this call, for a request.
    pub(crate) fn changed(&self) -> Notified<'_> {
        self.changed_for_requests.notified()
    }

    /// Waits until the club is to end, for the server.
    pub(crate) async fn ended(&self) {
        loop {
            let changed = self.changed();
            if self.is_over() {
                return;
            }
            changed.await;
        }
    }

    /// Waits for this time, or until the club is to end.
    pub(crate) fn pause(&self, time: Duration) {
        let changes = locked(&self.changes);
        let waits = |_: &mut u64| !self.is_over();
        drop(self.changed.wait_timeout_while(changes, time, waits).unwrap_or_else(PoisonError::into_inner));
    }

    /// Waits until the club is to end.
    pub(crate) fn wait_for_end(&self) {
        while !self.is_over() {
            self.pause(Duration::from_secs(3_600));
        }
    }

    /// Notes that the pages are older than the games.
    pub(crate) fn outdate_site(&self) {
        self.is_site_old.store(true, Ordering::SeqCst);
    }

    /// Notes that the pages of a season that is over offer other files.
    pub(crate) fn outdate_site_if_over(&self) {
        if self.is_season_over {
            self.outdate_site();
            self.note_change();
        }
    }

    /// True if the pages are older than the games. They are taken to be up to date from now on.
    pub(crate) fn take_outdated_site(&self) -> bool {
        self.is_site_old.swap(false, Ordering::SeqCst)
    }

    /// True if the club is to end.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }

    /// Ends the club: its parts stop, after the games in progress.
    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::SeqCst);
        self.replays.end();
        self.rooms.get().iter().for_each(|rooms| rooms.end());
        self.end_stage();
        self.note_change();
    }

    /// Begins a stage, which this control can end.
    pub(crate) fn begin_stage(&self, control: Option<Control>) {
        *locked(&self.stage) = control.clone();
        if self.is_over() {
            control.iter().for_each(Control::cancel);
        }
    }

    /// Ends the stage that is being played, after the games in progress: there is a new bot.
    pub(crate) fn end_stage(&self) {
        locked(&self.stage).iter().for_each(Control::cancel);
    }
}

#[cfg(test)]
mod tests {
    use crate::club::ClubOptions;
    use crate::support::{bot, club};
    use std::time::{Duration, Instant};

    #[test]
    fn who_waits_for_a_change_goes_on_after_it_and_else_when_the_time_is_over() {
        let it = club(ClubOptions::default());
        let (state, short) = (&it.club.state, Duration::from_millis(20));
        let seen = state.changes();
        let begun = Instant::now();
        state.wait(seen, short);
        assert!(begun.elapsed() >= short, "nothing has changed");
        // It would be a wait of a day.
        state.note_change();
        state.wait(seen, Duration::from_secs(86_400));
        let seen = state.changes();
        state.end();
        state.wait(seen, Duration::from_secs(86_400));
    }

    #[test]
    fn an_upload_is_a_change_so_that_judging_does_not_wait_for_another_one() {
        let it = club(ClubOptions::default());
        let before = it.club.state.changes();
        it.upload(&it.author("ann"), &bot("builtin:random", 10), true).expect("it is taken");
        assert_eq!(it.club.state.changes(), before + 1);
    }
}
