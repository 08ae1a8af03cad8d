//! A club for tests, in a folder of its own.

use crate::club::{Club, ClubOptions};
use crate::folder::Folder;
use crate::uploads::Refusal;
use crate::{answers, replays, stages, token, upload, visitors};
use arena_engine::Sandbox;
use arena_engine::internals::builtin;
use arena_resources::NewThread;
use arena_store::{Author, Version, VersionState};
use arena_web::Client;
use axum::body::{Body, Bytes};
use axum::http::header::{CONTENT_TYPE, SET_COOKIE};
use axum::http::{Method, Request};
use axum::response::Response;
use data_encoding::HEXLOWER;
use futures_util::{StreamExt, stream};
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use sha2::{Digest, Sha256};
use std::convert::Infallible;
use std::net::IpAddr;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::time::timeout;

/// The longest time of an answer. Chosen: a machine that is a hundred times as slow as usual. What needs a thread that is not there has no
/// answer.
const ANSWER_TIME: Duration = Duration::from_secs(20);

/// A club in a folder.
pub(crate) struct Setting {
    pub(crate) folder: Folder,
    pub(crate) club: Club,
    pub(crate) sandbox: Sandbox,
    runtime: Runtime,
    place: TempDir,
}

/// A club with these options, and four games of each two bots.
pub(crate) fn club(options: ClubOptions) -> Setting {
    let place = tempfile::tempdir().expect("there is room");
    let folder = Folder::at(&place.path().join("club"));
    Setting::at(place, folder, options)
}

/// A club in which ann has a random player, ben has the hunter, and they have played.
pub(crate) fn played_club() -> Setting {
    let it = club(ClubOptions::default());
    it.admit(&it.author("ann"), &bot("builtin:random", 10));
    it.admit(&it.author("ben"), &bot("builtin:hunter", 10));
    it.play();
    it
}

/// The cookie that an answer sets.
pub(crate) fn cookie(answer: &Response) -> String {
    let cookie = answer.headers().get(SET_COOKIE).and_then(|cookie| cookie.to_str().ok());
    cookie.and_then(|cookie| cookie.split(';').next()).expect("it sets a cookie").to_owned()
}

/// A bot of the arena, padded to another component of this many bytes more.
pub(crate) fn bot(name: &str, padding: usize) -> Vec<u8> {
    let bot = builtin::component(Path::new(name)).expect("it is known").expect("it is built in");
    // A section of its own, with the length in five bytes.
    let mut length = [0x80; 5];
    let content = padding.checked_sub(6).expect("a section has a head");
    for (at, byte) in length.iter_mut().enumerate() {
        *byte |= (content >> (7 * at)) as u8 & 0x7f;
    }
    length[4] &= 0x7f;
    let mut section = vec![0; padding];
    section[1..6].copy_from_slice(&length);
    // Its name is empty.
    [bot, &section].concat()
}

impl Setting {
    fn at(place: TempDir, folder: Folder, options: ClubOptions) -> Self {
        let options = ClubOptions { games_min: 4, games_max: 4, neighbours: 1, ..options };
        let club = Club::open(&folder, options).expect("it can be opened");
        // As when it is served.
        drop(stages::recall(&club).expect("its journal can be read"));
        let sandbox = Sandbox::new(club.sandbox_limits()).expect("there is room");
        let runtime = arena_resources::runtime(4).expect("there is room");
        Self { folder, club, sandbox, runtime, place }
    }

    /// The same club in another process, with other options.
    pub(crate) fn again(self, options: ClubOptions) -> Self {
        let Self { folder, club, place, .. } = self;
        drop(club);
        Self::at(place, folder, options)
    }

    /// The same club after something was done while it was not served.
    pub(crate) fn between(self, work: impl FnOnce(&Folder)) -> Self {
        let Self { folder, club, place, .. } = self;
        drop(club);
        work(&folder);
        Self::at(place, folder, ClubOptions::default())
    }

    pub(crate) fn author(&self, name: &str) -> Author {
        let token = token::hash(name);
        let invited = self.club.state.register(|register| {
            register.invite_all([(name, token)])?;
            register.author(&token)
        });
        invited.expect("it can be written").expect("the author is known")
    }

    /// Uploads a component, with its length or without.
    pub(crate) fn upload(&self, author: &Author, bot: &[u8], has_length: bool) -> Result<Version, Refusal> {
        self.upload_as(author, bot, false, has_length)
    }

    fn upload_as(
        &self,
        author: &Author,
        bot: &[u8],
        is_draft: bool,
        has_length: bool,
    ) -> Result<Version, Refusal> {
        let length = has_length.then_some(bot.len() as u64);
        let blocks: Vec<Bytes> = bot.chunks(4_096).map(Bytes::copy_from_slice).collect();
        let blocks = stream::iter(blocks).map(Ok::<_, Infallible>);
        self.runtime.block_on(upload::receive(&self.club.state, author, is_draft, length, blocks))
    }

    /// Uploads a component, and admits it.
    pub(crate) fn admit(&self, author: &Author, bot: &[u8]) -> Version {
        self.admit_as(author, bot, false)
    }

    /// Uploads a component as a draft or not, and admits it.
    pub(crate) fn admit_as(&self, author: &Author, bot: &[u8], is_draft: bool) -> Version {
        let version = self.upload_as(author, bot, is_draft, true).expect("it is taken");
        assert_eq!(version.sha256, HEXLOWER.encode(&Sha256::digest(bot)));
        let judge = |register: &mut arena_store::Register| {
            register.judge(version.id, VersionState::Admitted, "")?;
            register.version(version.id)
        };
        self.club.state.register(judge).expect("it can be written").expect("it is there")
    }

    pub(crate) fn version(&self, id: i64) -> Version {
        self.club
            .state
            .register(|register| register.version(id))
            .expect("it can be read")
            .expect("it is there")
    }

    /// Plays until nothing is left to play, and returns what the organiser was told.
    pub(crate) fn play(&self) -> Vec<String> {
        let mut so_far = stages::recall(&self.club).expect("it can be read");
        while stages::play_next(&self.club, &self.sandbox, &mut so_far, 0).expect("it can be played") {}
        self.club.state.take_notes()
    }

    /// Writes the pages of a season, and reports them to those who listen.
    pub(crate) fn write_pages(&self, season: u32) {
        let contest = self.club.pages.write(season, &|| false).expect("they can be written");
        self.club.state.live.report(contest);
    }

    /// Does something while the thread runs that reads journals on request.
    pub(crate) fn with_replays(&self, work: impl FnOnce()) {
        struct End<'a>(&'a Setting);

        // Also after a failure: the thread would be waited for without an end.
        impl Drop for End<'_> {
            fn drop(&mut self) {
                self.0.club.state.replays.end();
            }
        }

        std::thread::scope(|scope| {
            let _end = End(self);
            NewThread::named("replays")
                .start_in(scope, || replays::make_all(&self.club))
                .expect("there is room");
            work();
        });
    }

    /// Does something that a request does.
    pub(crate) fn wait<T>(&self, request: impl Future<Output = T>) -> T {
        self.runtime.block_on(request)
    }

    /// The answer to a request without a body of the client at this address.
    pub(crate) fn ask(&self, method: Method, path: &str, client: &str) -> Response {
        let request = Request::builder().method(method).uri(path).body(Body::empty()).expect("it is right");
        self.send(request, client)
    }

    /// The answer to a request of the client at this address.
    pub(crate) fn send(&self, mut request: Request<Body>, client: &str) -> Response {
        let path = request.uri().path().to_owned();
        let client: IpAddr = client.parse().expect("it is an address");
        request.extensions_mut().insert(Client(client));
        let router = answers::router(&self.club.state, visitors::routes(&self.club, &self.sandbox));
        let service = TowerToHyperService::new(router);
        let answer = self.wait(async { timeout(ANSWER_TIME, service.call(request)).await });
        let Ok(answer) = answer.unwrap_or_else(|_| panic!("{path} has no answer"));
        answer
    }

    /// The answer to a form of the client at this address, with these headers.
    pub(crate) fn post(
        &self,
        path: &str,
        headers: &[(&str, &str)],
        fields: &[(&str, &str)],
        client: &str,
    ) -> Response {
        let part = |(name, value): &(&str, &str)| {
            format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
        };
        let body = fields.iter().map(part).collect::<String>() + "--edge--\r\n";
        let request = Request::post(path).header(CONTENT_TYPE, "multipart/form-data; boundary=edge");
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        self.send(request.body(Body::from(body)).expect("it is right"), client)
    }

    /// The answer to a request with these headers, without a body.
    pub(crate) fn ask_with(&self, path: &str, headers: &[(&str, &str)]) -> Response {
        let request =
            headers.iter().fold(Request::get(path), |request, (name, value)| request.header(*name, *value));
        self.send(request.body(Body::empty()).expect("it is right"), "127.0.0.1")
    }

    /// The text of an answer.
    pub(crate) fn text(&self, answer: Response) -> String {
        let body = self.wait(axum::body::to_bytes(answer.into_body(), 1 << 20)).expect("it ends");
        String::from_utf8_lossy(&body).into_owned()
    }

    /// The status and the text of the answer to a request.
    pub(crate) fn get(&self, path: &str) -> (u16, String) {
        let answer = self.ask(Method::GET, path, "127.0.0.1");
        (answer.status().as_u16(), self.text(answer))
    }
}
