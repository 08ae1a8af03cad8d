//! A real Chromium, driven by WebDriver.

use crate::support::Requirements;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use thirtyfour::prelude::*;
use thirtyfour::{ChromeCapabilities, LoggingPrefsLogLevel};

/// The size of a screen, and its colours.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    pub width: u32,
    pub height: u32,
    pub is_dark: bool,
    /// True if the page has exactly this size, as on a phone; false if the window has it, with the browser's own bars.
    pub is_page: bool,
}

pub const PHONE: Look = Look::of(360, 740);
pub const LAPTOP: Look = Look { is_page: false, ..Look::of(1280, 900) };
pub const PROJECTOR: Look = Look { is_page: false, ..Look::of(2560, 1440) };

impl Look {
    /// A page of this size.
    pub const fn of(width: u32, height: u32) -> Self {
        Self { width, height, is_dark: false, is_page: true }
    }

    /// The same size in dark colours.
    pub const fn dark(self) -> Self {
        Self { is_dark: true, ..self }
    }
}

/// A browser with one page. Its driver ends with it.
pub struct Browser {
    pub driver: WebDriver,
    process: Child,
}

impl Browser {
    /// Starts a browser.
    pub async fn start(look: Look) -> Self {
        let mut process = Command::new("chromedriver")
            .args(["--port=0", "--allowed-ips=127.0.0.1"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("chromedriver starts");
        let mut lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        let port = lines
            .find_map(|line| {
                let line = line.expect("chromedriver prints text");
                line.split_once(" successfully on port ")?.1.trim_end_matches('.').parse::<u16>().ok()
            })
            .expect("chromedriver names its port");
        // Its output must be read, or it blocks.
        std::thread::spawn(move || lines.for_each(drop));
        let address = format!("http://127.0.0.1:{port}");
        let driver = WebDriver::new(address, capabilities(look)).await.expect("chromium starts");
        Self { driver, process }
    }

    /// Runs a script in the page and returns its value.
    pub async fn run<T: serde::de::DeserializeOwned>(&self, script: &str) -> T {
        let value = self.driver.execute(script, Vec::new()).await;
        value.and_then(|value| value.convert()).unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Presses a key in the element that has the focus.
    pub async fn press(&self, key: impl Into<thirtyfour::TypingData>) {
        let element = self.driver.active_element().await.expect("something has the focus");
        element.send_keys(key).await.expect("it takes keys");
    }

    /// Clicks an element, by its id.
    pub async fn click(&self, id: &str) {
        let element = self.driver.find(By::Id(id)).await.unwrap_or_else(|error| panic!("{id}: {error}"));
        element.click().await.unwrap_or_else(|error| panic!("{id}: {error}"));
    }

    /// Messages of the browser since the last call, for example about a violated policy of a page.
    pub async fn messages(&self) -> Vec<String> {
        let entries = self.driver.get_log("browser").await.expect("chromium keeps a log");
        entries.into_iter().map(|entry| format!("{}: {}", entry.level, entry.message)).collect()
    }

    /// The addresses that were requested since the last call.
    pub async fn requests(&self) -> Vec<String> {
        let entries = self.driver.get_log("performance").await.expect("chromium keeps a log");
        let request = |text: String| {
            let entry: serde_json::Value = serde_json::from_str(&text).expect("an entry is JSON");
            let message = &entry["message"];
            (message["method"] == "Network.requestWillBeSent")
                .then(|| message["params"]["request"]["url"].as_str().unwrap_or_default().to_owned())
        };
        entries.into_iter().filter_map(|entry| request(entry.message)).collect()
    }

    /// Ends the browser.
    pub async fn quit(self) {
        let Self { driver, mut process } = self;
        driver.quit().await.expect("chromium ends");
        process.kill().expect("chromedriver can be ended");
        process.wait().expect("it has ended");
    }
}

fn capabilities(look: Look) -> ChromeCapabilities {
    let mut chrome = DesiredCapabilities::chrome();
    let mut args = vec!["--headless=new".to_owned(), "--hide-scrollbars".into(), "--disable-gpu".into()];
    args.push(format!("--window-size={},{}", look.width, look.height));
    // The sandbox of Chromium does not run as root, as in a container. The pages are trusted.
    if Requirements::as_root() {
        args.push("--no-sandbox".into());
    }
    // In a container, shared memory is small.
    args.push("--disable-dev-shm-usage".into());
    args.push(format!("--blink-settings=preferredColorScheme={}", u8::from(!look.is_dark)));
    args.iter().try_for_each(|arg| chrome.add_arg(arg)).expect("it is an argument");
    if look.is_page {
        // A window cannot be as narrow as a phone.
        let metrics = serde_json::json!({ "width": look.width, "height": look.height, "pixelRatio": 2.0 });
        let phone = serde_json::json!({ "deviceMetrics": metrics });
        chrome.add_experimental_option("mobileEmulation", phone).expect("it is an option");
    }
    for log in ["browser", "performance"] {
        chrome.set_logging_prefs(log, LoggingPrefsLogLevel::All).expect("it is a log");
    }
    chrome
}
