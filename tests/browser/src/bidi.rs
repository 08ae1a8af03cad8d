//! WebDriver BiDi: commands to a browser and events from it, as JSON over a WebSocket (<https://www.w3.org/TR/webdriver-bidi/>).

use serde_json::{Value, json};
use std::net::TcpStream;
use std::time::Duration;
use tungstenite::{Message, WebSocket};

/// The longest time without a message while a command runs. Chosen: long enough for a machine that does much else.
const SILENCE_MAX: Duration = Duration::from_secs(120);

/// A connection to a browser.
pub struct Connection {
    socket: WebSocket<TcpStream>,
    commands: u64,
    /// The events since they were last taken.
    events: Vec<Event>,
}

/// Something that the browser reports by itself.
pub struct Event {
    /// For example `log.entryAdded`.
    pub name: String,
    pub params: Value,
}

impl Connection {
    /// Connects to the port of this machine, and starts a session.
    pub fn open(port: u16) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("the browser takes connections");
        stream.set_read_timeout(Some(SILENCE_MAX)).expect("a limit of time can be set");
        let address = format!("ws://127.0.0.1:{port}/session");
        let (socket, _) = tungstenite::client(address, stream).expect("the browser speaks WebDriver BiDi");
        Self { socket, commands: 0, events: Vec::new() }
    }

    /// Runs a command, and returns its result, or the browser's words about its failure.
    pub fn command(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.commands += 1;
        let command = json!({ "id": self.commands, "method": method, "params": params });
        self.socket.send(Message::text(command.to_string())).map_err(|error| error.to_string())?;
        loop {
            let message = self.socket.read().map_err(|error| error.to_string())?;
            let Message::Text(text) = message else { continue };
            let mut message: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
            if message["id"] == self.commands {
                return match message["type"].as_str() {
                    Some("success") => Ok(message["result"].take()),
                    _ => Err(format!("{}: {}", message["error"], message["message"])),
                };
            }
            if let Some(name) = message["method"].as_str().map(str::to_owned) {
                self.events.push(Event { name, params: message["params"].take() });
            }
        }
    }

    /// Asks the browser to end, and waits until it has ended: then the connection does. False if it cannot be asked.
    pub fn end(&mut self) -> bool {
        let is_asked = self.command("browser.close", json!({})).is_ok();
        while is_asked && self.socket.read().is_ok() {}
        is_asked
    }

    /// Takes the events for which this is true, in their order.
    pub fn take_events(&mut self, is_meant: impl Fn(&Event) -> bool) -> Vec<Event> {
        self.events.extract_if(.., |event| is_meant(event)).collect()
    }
}
