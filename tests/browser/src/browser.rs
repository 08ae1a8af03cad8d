//! A real browser with one page, driven by WebDriver BiDi.

use crate::bidi::{Connection, Event};
use crate::support::Requirements;
use serde_json::{Value, json};
use std::fmt;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The browsers in which the pages are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Chromium,
    Firefox,
}

impl Kind {
    pub const ALL: [Self; 2] = [Self::Chromium, Self::Firefox];

    /// The programs that it needs. Firefox speaks WebDriver BiDi itself; Chromium does so with its driver.
    pub const fn programs(self) -> &'static [&'static str] {
        match self {
            Self::Chromium => &["chromium", "chromedriver"],
            Self::Firefox => &["firefox-esr"],
        }
    }

    /// Debian's packages with these programs.
    pub const fn packages(self) -> &'static str {
        match self {
            Self::Chromium => "chromium chromium-driver",
            Self::Firefox => "firefox-esr",
        }
    }
}

/// The size of a page in CSS pixels, and its colours.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Look {
    pub width: u32,
    pub height: u32,
    pub is_dark: bool,
}

pub const PHONE: Look = Look::of(360, 740);
pub const LAPTOP: Look = Look::of(1280, 800);
pub const PROJECTOR: Look = Look::of(2560, 1340);

impl Look {
    /// A page of this size, in light colours.
    pub const fn of(width: u32, height: u32) -> Self {
        Self { width, height, is_dark: false }
    }

    /// The same size in dark colours.
    pub const fn dark(self) -> Self {
        Self { is_dark: true, ..self }
    }
}

impl fmt::Debug for Look {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}×{}{}", self.width, self.height, if self.is_dark { " dark" } else { "" })
    }
}

/// The keys that are not characters, as WebDriver numbers them.
pub mod key {
    pub const TAB: &str = "\u{e004}";
    pub const ENTER: &str = "\u{e007}";
    pub const END: &str = "\u{e010}";
    pub const HOME: &str = "\u{e011}";
    pub const LEFT: &str = "\u{e012}";
    pub const RIGHT: &str = "\u{e014}";
}

/// Firefox's settings: overlay scroll bars, as on a phone and in the other browser; nothing fetched that no page asks for.
const PREFERENCES: [(&str, &str); 5] = [
    ("ui.useOverlayScrollbars", "1"),
    ("widget.gtk.overlay-scrollbars.enabled", "true"),
    ("network.captive-portal-service.enabled", "false"),
    ("network.connectivity-service.enabled", "false"),
    ("datareporting.policy.dataSubmissionEnabled", "false"),
];

/// The number of times that an address is opened again because the page before went elsewhere by itself. Chosen: it happens once.
const NAVIGATIONS_MAX: u32 = 5;

/// The longest time that a test waits for a page. Chosen: a machine that is ten times as slow as usual.
pub const WAIT_MAX: Duration = Duration::from_secs(120);

/// The pause between two questions whether a page has changed. Chosen.
const WAIT_PAUSE: Duration = Duration::from_millis(50);

/// Prints a message for each violation of a page's policy. Chromium reports them in no event of WebDriver BiDi.
const NAME_VIOLATIONS: &str = "() => document.addEventListener('securitypolicyviolation', (it) => \
    console.error(`the policy ${it.effectiveDirective} forbids ${it.blockedURI} ${it.sample}`))";

/// A browser with one page. It ends when it is dropped.
pub struct Browser {
    pub kind: Kind,
    /// The browser, or its driver.
    process: Child,
    connection: Connection,
    /// The page, as the protocol names it.
    context: String,
    has_scripts: bool,
    /// Firefox's settings and data.
    _profile: TempDir,
}

impl Browser {
    /// Starts a browser whose page has this look. If scripts are switched off, only those of a test run.
    pub fn start(kind: Kind, look: Look, has_scripts: bool) -> Self {
        let profile = TempDir::new().expect("a temporary folder");
        let mut process = match kind {
            Kind::Chromium => Command::new("chromedriver")
                .args(["--port=0", "--allowed-ips=127.0.0.1"])
                .stdout(Stdio::piped())
                .spawn(),
            Kind::Firefox => {
                let colours = (
                    "layout.css.prefers-color-scheme.content-override",
                    if look.is_dark { "0" } else { "1" },
                );
                let scripts = ("javascript.enabled", if has_scripts { "true" } else { "false" });
                let preference = |(name, value): &(&str, &str)| format!("user_pref(\"{name}\", {value});\n");
                let preferences: String =
                    PREFERENCES.iter().chain([&colours, &scripts]).map(preference).collect();
                fs::write(profile.path().join("user.js"), preferences).expect("it is written");
                Command::new("firefox-esr")
                    .args(["--headless", "--no-remote", "--remote-debugging-port=0", "--profile"])
                    .arg(profile.path())
                    .stdout(Stdio::null())
                    .stderr(Stdio::piped())
                    .spawn()
            }
        }
        .expect("it starts");
        let port = match kind {
            Kind::Chromium => {
                find_port(process.stdout.take().expect("it is piped"), " successfully on port ")
            }
            Kind::Firefox => {
                find_port(process.stderr.take().expect("it is piped"), "listening on ws://127.0.0.1:")
            }
        };
        let connection = Connection::open(port);
        let mut browser =
            Self { kind, process, connection, context: String::new(), has_scripts, _profile: profile };
        let wishes = match kind {
            Kind::Chromium => json!({ "goog:chromeOptions": { "args": chromium_arguments(look) } }),
            Kind::Firefox => json!({}),
        };
        browser.command("session.new", json!({ "capabilities": { "alwaysMatch": wishes } }));
        // A page of its own: in the first one, the browser may still be loading something.
        let page = browser.command("browsingContext.create", json!({ "type": "tab" }));
        browser.context = page["context"].as_str().expect("there is a page").to_owned();
        let events = [
            "log.entryAdded",
            "network.beforeRequestSent",
            "network.responseCompleted",
            "network.fetchError",
        ];
        browser.command("session.subscribe", json!({ "events": events }));
        browser.command("script.addPreloadScript", json!({ "functionDeclaration": NAME_VIOLATIONS }));
        if !has_scripts && kind == Kind::Chromium {
            let off = json!({ "enabled": false, "contexts": [browser.context] });
            browser.command("emulation.setScriptingEnabled", off);
        }
        browser.resize(look);
        browser
    }

    /// Gives the page another size. Its colours stay.
    pub fn resize(&mut self, look: Look) {
        let size = json!({ "width": look.width, "height": look.height });
        self.command("browsingContext.setViewport", json!({ "context": self.context, "viewport": size }));
    }

    /// Chooses a file in a field.
    pub fn choose_file(&mut self, selector: &str, path: &str) {
        // Chromium sends no file whose path goes up.
        let path = fs::canonicalize(path).expect("it is there");
        let locator = json!({ "type": "css", "value": selector });
        let found = self
            .command("browsingContext.locateNodes", json!({ "context": self.context, "locator": locator }));
        let element = json!({ "sharedId": found["nodes"][0]["sharedId"] });
        self.command(
            "input.setFiles",
            json!({ "context": self.context, "element": element, "files": [path] }),
        );
    }

    /// Opens an address, waits until the page is loaded, and gives it the focus.
    pub fn open(&mut self, address: &str) {
        self.open_elsewhere(address, address);
    }

    /// The same with an address that leads to another one.
    pub fn open_elsewhere(&mut self, address: &str, to: &str) {
        let page = json!({ "context": self.context, "url": address, "wait": "complete" });
        let mut tries = 0..NAVIGATIONS_MAX;
        // A page that goes elsewhere by itself at this moment gets in between, of which Chromium has two errors.
        while let Err(error) = self.connection.command("browsingContext.navigate", page.clone()) {
            let is_overtaken =
                ["concurrent navigation", "net::ERR_ABORTED"].iter().any(|it| error.contains(it));
            let is_again = is_overtaken && tries.next().is_some();
            assert!(is_again, "{:?}: browsingContext.navigate: {error}", self.kind);
        }
        // Firefox answers too early if the page before changes its own address meanwhile.
        self.wait_until(&format!(
            "document.readyState === 'complete' && location.href.split('#')[0] === new URL('{to}').href.split('#')[0]"
        ));
        // In Firefox, a page in another process than the one before has no focus, and no button of it can be pressed by a key.
        self.command("browsingContext.activate", json!({ "context": self.context }));
    }

    /// Waits until an expression is true, in this page or in the one to which a click leads.
    pub fn wait_until(&mut self, condition: &str) {
        let begun = Instant::now();
        while !self.try_run::<bool>(&format!("return {condition}")).is_ok_and(|is_true| is_true) {
            if begun.elapsed() > WAIT_MAX {
                let page = self.try_run::<String>("return `${location.href}: ${document.body.innerText}`");
                panic!("{:?}: it stays false: {condition}: {page:?}", self.kind);
            }
            std::thread::sleep(WAIT_PAUSE);
        }
    }

    /// Runs the body of a function in the page, and returns its value.
    pub fn run<T: serde::de::DeserializeOwned>(&mut self, script: &str) -> T {
        self.try_run(script).unwrap_or_else(|error| panic!("{:?}: {error}: {script}", self.kind))
    }

    /// The same as [`Browser::run`]; an error while another page takes the place of this one.
    pub fn try_run<T: serde::de::DeserializeOwned>(&mut self, script: &str) -> Result<T, String> {
        // In Firefox, only a sandbox runs scripts in a page that has none, and nothing in it can be awaited.
        let (target, expression) = match self.has_scripts {
            true => (
                json!({ "context": self.context }),
                format!("(async () => {{ {script}\n }})().then((it) => JSON.stringify(it ?? null))"),
            ),
            false => (
                json!({ "context": self.context, "sandbox": "test" }),
                format!("JSON.stringify((() => {{ {script}\n }})() ?? null)"),
            ),
        };
        let call = json!({ "expression": expression, "target": target, "awaitPromise": self.has_scripts });
        let answer = self.connection.command("script.evaluate", call)?;
        let text = answer["result"]["value"].as_str();
        let text = text.ok_or_else(|| answer["exceptionDetails"]["text"].to_string())?;
        serde_json::from_str(text).map_err(|error| format!("{error}: {text}"))
    }

    /// Presses keys, one for each character, in the element that has the focus.
    pub fn press(&mut self, keys: &str) {
        let stroke =
            |key: char| ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key.to_string() }));
        let strokes: Vec<Value> = keys.chars().flat_map(stroke).collect();
        self.act(json!({ "type": "key", "id": "keyboard", "actions": strokes }));
    }

    /// Clicks the middle of an element. The page is scrolled only if a part of it is out of sight.
    pub fn click(&mut self, selector: &str) {
        let (x, y, is_on_top): (i32, i32, bool) = self.run(&format!(
            "const it = document.querySelector(\"{selector}\"); const seen = it.getBoundingClientRect(); \
             if (seen.top < 0 || seen.bottom > innerHeight || seen.left < 0 || seen.right > innerWidth) \
             it.scrollIntoView({{ block: 'center', inline: 'center', behavior: 'instant' }}); \
             const box = it.getBoundingClientRect(); const [x, y] = [box.x + box.width / 2, box.y + box.height / 2].map(Math.floor); \
             return [x, y, it.contains(document.elementFromPoint(x, y))]"
        ));
        assert!(is_on_top, "{:?}: {selector} is covered at {x}, {y}", self.kind);
        let moved = json!({ "type": "pointerMove", "x": x, "y": y });
        let actions = [
            moved,
            json!({ "type": "pointerDown", "button": 0 }),
            json!({ "type": "pointerUp", "button": 0 }),
        ];
        self.act(json!({ "type": "pointer", "id": "mouse", "actions": actions }));
    }

    /// Drags the middle of an element to that of another one. Both are on the screen.
    pub fn drag(&mut self, from: &str, to: &str) {
        let [from, to] = [from, to].map(|selector| {
            self.run::<[i32; 2]>(&format!(
                "const box = document.querySelector(\"{selector}\").getBoundingClientRect(); \
                 return [box.x + box.width / 2, box.y + box.height / 2].map(Math.floor)"
            ))
        });
        let moved = |[x, y]: [i32; 2]| json!({ "type": "pointerMove", "x": x, "y": y, "duration": 50 });
        let actions = [
            moved(from),
            json!({ "type": "pointerDown", "button": 0 }),
            moved([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]),
            moved(to),
            json!({ "type": "pointerUp", "button": 0 }),
        ];
        self.act(json!({ "type": "pointer", "id": "mouse", "actions": actions }));
    }

    fn act(&mut self, source: Value) {
        self.command("input.performActions", json!({ "context": self.context, "actions": [source] }));
    }

    /// What went wrong since the last call: messages in the console, violations of a page's policy, and requests that failed.
    pub fn messages(&mut self) -> Vec<String> {
        // The browser sends what has happened before it answers.
        // Without scripts, a page calls nothing for its frames.
        let frame = if self.has_scripts { "await new Promise(requestAnimationFrame)" } else { "" };
        self.run::<Option<bool>>(frame);
        let is_meant = |event: &Event| match event.name.as_str() {
            "log.entryAdded" | "network.fetchError" => true,
            "network.responseCompleted" => event.params["response"]["status"].as_u64() >= Some(400),
            _ => false,
        };
        let words = |event: Event| match event.name.as_str() {
            "log.entryAdded" => format!("{}: {}", event.params["level"], event.params["text"]),
            _ => format!("{}: {}", event.name, event.params["request"]["url"]),
        };
        self.connection.take_events(is_meant).into_iter().map(words).collect()
    }

    /// The addresses that were requested since the last call, without data addresses, which fetch nothing: Firefox loads a font of its own
    /// by one. It does not report files.
    pub fn requests(&mut self) -> Vec<String> {
        let events = self.connection.take_events(|event| event.name == "network.beforeRequestSent");
        let address = |event: &Event| event.params["request"]["url"].as_str().map(str::to_owned);
        events.iter().filter_map(address).filter(|it| !it.starts_with("data:")).collect()
    }

    /// A screenshot of what the page shows, as PNG.
    pub fn picture(&mut self) -> Vec<u8> {
        let answer = self.command("browsingContext.captureScreenshot", json!({ "context": self.context }));
        let text = answer["data"].as_str().expect("there is a picture");
        data_encoding::BASE64.decode(text.as_bytes()).expect("it is base64")
    }

    fn command(&mut self, method: &str, params: Value) -> Value {
        let answer = self.connection.command(method, params);
        answer.unwrap_or_else(|error| panic!("{:?}: {method}: {error}", self.kind))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Whatever the test has found, the browser is asked to end, and its driver ends with it.
        let has_ended = self.connection.end();
        // Chromium outlives its driver, if that is killed before.
        if self.kind == Kind::Chromium || !has_ended {
            let _ = self.process.kill();
        }
        let _ = self.process.wait();
    }
}

/// Reads the port from the line in which a program names it after some words, and lets it print more.
fn find_port(output: impl Read + Send + 'static, words: &'static str) -> u16 {
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    let number =
        |line: String| line.split_once(words)?.1.split(|it: char| !it.is_ascii_digit()).next()?.parse().ok();
    let port = lines.find_map(number).expect("it names its port");
    // Its output must be read, or it blocks.
    std::thread::spawn(move || lines.for_each(drop));
    port
}

fn chromium_arguments(look: Look) -> Vec<String> {
    let mut arguments = vec!["--headless=new".to_owned(), "--hide-scrollbars".into(), "--disable-gpu".into()];
    // The sandbox of Chromium does not run as root, as in a container. The pages are trusted.
    if Requirements::as_root() {
        arguments.push("--no-sandbox".into());
    }
    // In a container, shared memory is small.
    arguments.push("--disable-dev-shm-usage".into());
    arguments.push(format!("--blink-settings=preferredColorScheme={}", u8::from(!look.is_dark)));
    arguments
}
