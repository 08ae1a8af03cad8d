//! A bot as a process for each game, which answers JSON lines over pipes.

use arena_bench_process::{Call, GameLine, ViewLine};
use arena_referee::{HostError, NoReply, Player, Reply};
use arena_rules::battleship::{Action, Battleship, GameInfo, View};
use arena_rules::{Coord, Placement};
use serde::de::DeserializeOwned;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running process that plays one game.
pub struct ProcessPlayer {
    child: Child,
    /// None after the last call.
    calls: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    line: String,
}

impl ProcessPlayer {
    /// Starts the program of a bot.
    pub fn start(program: &Path) -> Self {
        let mut command = Command::new(program);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the bot's program starts");
        let calls = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().expect("its output is a pipe"));
        Self { child, calls, answers, line: String::new() }
    }

    fn ask<T: DeserializeOwned>(&mut self, game: &GameInfo, view: Option<&View>) -> io::Result<T> {
        let call = Call { game: GameLine::from(game), view: view.map(ViewLine::from) };
        let mut line = serde_json::to_vec(&call)?;
        line.push(b'\n');
        self.calls.as_mut().ok_or(io::ErrorKind::BrokenPipe)?.write_all(&line)?;
        self.line.clear();
        self.answers.read_line(&mut self.line)?;
        Ok(serde_json::from_str(&self.line)?)
    }
}

fn reply<T>(answer: io::Result<T>) -> Result<Reply<T>, NoReply> {
    match answer {
        Ok(answer) => Ok(Reply { answer, fuel_used: 0 }),
        Err(error) => Err(HostError::Process(error.to_string().into()).into()),
    }
}

impl Player<Battleship> for ProcessPlayer {
    fn deploy(&mut self, game: &GameInfo, _fuel: u64) -> Result<Reply<Vec<Placement>>, NoReply> {
        reply(self.ask(game, None))
    }

    fn play(&mut self, game: &GameInfo, view: &View, _fuel: u64) -> Result<Reply<Action>, NoReply> {
        reply(self.ask::<Option<Coord>>(game, Some(view)).map(Action::from))
    }
}

impl Drop for ProcessPlayer {
    fn drop(&mut self) {
        // The end of its input ends the process.
        self.calls = None;
        self.child.wait().expect("the process can be waited for");
    }
}
