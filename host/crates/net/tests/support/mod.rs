//! A server on a thread, and clients written from the protocol's text alone.

use arena_net::{ClientLimits, Options, ServedGame, Server, Tally};
use arena_referee::{Event, Fault};
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The time a test waits for an event that must come. It takes far less, so that a busy machine fails no test. Chosen: as the kit's.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// A limit that a test waits for.
pub const SHORT: Duration = Duration::from_millis(300);

pub const GREETING: &str = "you are connected. please send me initial state.";
pub const PLACEMENTS: [&str; 2] =
    [r#"{"w":[0,0],"c":[0,1],"s":[1,0]}"#, r#"{"w":[1,1],"c":[1,2],"s":[2,1]}"#];

/// An action that is legal after [`PLACEMENTS`] for either side, and ends nothing.
pub const ATTACK: &str = r#"{"attack":{"to":[0,1]}}"#;
/// An action that loses.
pub const LOSE: &str = r#"{"move":{"ship":"w","to":[3,3]}}"#;

/// Limits that no client reaches which goes on.
pub fn patient() -> ClientLimits {
    ClientLimits {
        turn: PATIENCE,
        game: PATIENCE,
        taking: PATIENCE,
        closing: SHORT,
        ..ClientLimits::default()
    }
}

pub fn options(limits: ClientLimits) -> Options<'static> {
    // All clients of a test have one address.
    Options { limits, clients_per_address: 1_000, ..Options::default() }
}

pub struct Served {
    pub address: SocketAddr,
    stop: Arc<AtomicBool>,
    games: Receiver<ServedGame>,
    server: JoinHandle<std::io::Result<Tally>>,
}

impl Served {
    pub fn start(options: Options<'static>) -> Self {
        Self::start_and_break(options, |_| ControlFlow::Continue(()))
    }

    /// As [`Served::start`]; after each game `after` decides if the server continues.
    pub fn start_and_break(
        options: Options<'static>,
        mut after: impl FnMut(&ServedGame) -> ControlFlow<()> + Send + 'static,
    ) -> Self {
        let server = Server::bind(Ipv4Addr::LOCALHOST.into(), 0).unwrap();
        let address = server.local_addr().unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let (sender, games) = mpsc::channel();
        let stopped = Arc::clone(&stop);
        let server = thread::spawn(move || {
            let on_game = |game: ServedGame| {
                let flow = after(&game);
                sender.send(game).unwrap();
                flow
            };
            server.serve(&options, || stopped.load(Ordering::SeqCst), on_game)
        });
        Self { address, stop, games, server }
    }

    pub fn connect(&self) -> Socket {
        Socket::new(TcpStream::connect(self.address).unwrap())
    }

    /// Two clients that have been greeted, the first to move first.
    pub fn pair(&self) -> [Socket; 2] {
        let mut pair = [self.connect(), self.connect()];
        pair.iter_mut().for_each(|socket| socket.hears(GREETING));
        pair
    }

    /// Two clients that have placed their ships; the first is to move.
    pub fn placed_pair(&self) -> [Socket; 2] {
        let mut pair = self.pair();
        for (socket, placement) in pair.iter_mut().zip(PLACEMENTS) {
            socket.says(placement);
        }
        pair[0].hears("your turn");
        pair[1].hears("waiting");
        pair
    }

    /// The next game that ends.
    pub fn game(&self) -> ServedGame {
        self.games.recv_timeout(PATIENCE).expect("a game should have ended")
    }

    /// The fault in the next game that ends.
    pub fn fault(&self) -> Fault {
        fault(&self.game())
    }

    pub fn ask_to_stop(&self) {
        self.stop.store(true, Ordering::SeqCst);
    }

    /// Stops the server, after a check that it still can play.
    pub fn stop(self) -> Tally {
        self.plays_a_game();
        self.ask_to_stop();
        self.tally()
    }

    pub fn tally(self) -> Tally {
        self.server.join().unwrap().unwrap()
    }

    /// Checks that the server goes on.
    pub fn plays_a_game(&self) {
        let [mut first, mut second] = self.placed_pair();
        first.says(LOSE);
        second.hears_last("you win");
        first.hears_last("you lose");
        self.game();
    }
}

/// The one fault of a game.
pub fn fault(game: &ServedGame) -> Fault {
    let mut faults = game.events.iter().filter_map(|event| match event {
        Event::Faulted { fault, .. } => Some(fault.clone()),
        _ => None,
    });
    let first = faults.next().expect("there should be a fault");
    assert_eq!(faults.next(), None, "there should be one fault only");
    first
}

/// A client.
pub struct Socket {
    pub stream: TcpStream,
    lines: BufReader<TcpStream>,
}

impl Socket {
    fn new(stream: TcpStream) -> Self {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        let lines = BufReader::new(stream.try_clone().unwrap());
        Self { stream, lines }
    }

    pub fn says(&mut self, line: &str) {
        self.sends(format!("{line}\n").as_bytes());
    }

    pub fn sends(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).unwrap();
    }

    /// The next line; none at the end of the stream.
    pub fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        if self.lines.read_line(&mut line).expect("there should be a line in time") == 0 {
            return None;
        }
        assert_eq!(line.pop(), Some('\n'), "a line should be complete: {line}");
        Some(line)
    }

    pub fn hears(&mut self, expected: &str) {
        assert_eq!(self.line().as_deref(), Some(expected));
    }

    /// True if the next line is the greeting, false at the end of the stream.
    pub fn is_greeted(&mut self) -> bool {
        match self.line() {
            Some(line) => {
                assert_eq!(line, GREETING);
                true
            }
            None => false,
        }
    }

    pub fn hears_end(&mut self) {
        assert_eq!(self.line(), None);
    }

    /// The last line before the server closes. Other lines may come before it.
    pub fn hears_last(&mut self, expected: &str) {
        let mut last = None;
        while let Some(line) = self.line() {
            last = Some(line);
        }
        assert_eq!(last.as_deref(), Some(expected));
    }

    /// Nothing comes for a while.
    pub fn hears_nothing(&mut self) {
        self.stream.set_read_timeout(Some(SHORT)).unwrap();
        let heard = self.lines.fill_buf().map(<[u8]>::to_vec);
        self.stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let error = heard.expect_err("there should be nothing to hear");
        assert!(matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut), "{error}");
    }
}
