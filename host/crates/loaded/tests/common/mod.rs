//! The helpers of the tests of games.

use arena_loaded::{Error, Game, GameFault};
use arena_sandbox::{AdmitError, Component, Refusal, Sandbox, SandboxLimits};
use std::sync::OnceLock;

/// One sandbox for all tests, since each reserves its own address space.
pub fn sandbox() -> &'static Sandbox {
    static SANDBOX: OnceLock<Sandbox> = OnceLock::new();
    SANDBOX.get_or_init(|| {
        let limits = SandboxLimits { workers: 16, ..SandboxLimits::default() };
        Sandbox::new(limits).expect("a sandbox can be made")
    })
}

pub fn admit(bytes: &[u8]) -> Result<Component, Refusal> {
    sandbox().admit_component(bytes).map_err(|error| match error {
        AdmitError::Refused(refusal) => refusal,
        other => panic!("the host failed: {other}"),
    })
}

/// The component of a game with these parts replaced.
pub fn component(parts: &str) -> Component {
    let bytes = arena_testkit::game_component(parts).unwrap_or_else(|error| panic!("{error:?}"));
    admit(&bytes).unwrap_or_else(|refusal| panic!("it is refused: {refusal}"))
}

/// The game with these parts replaced.
pub fn game(parts: &str) -> Game {
    Game::new(component(parts)).unwrap_or_else(|error| panic!("it is no game: {error}"))
}

/// The fault of a component that cannot be played.
pub fn fault(component: Component) -> GameFault {
    match Game::new(component) {
        Err(Error::Game(fault)) => fault,
        Err(Error::Host(error)) => panic!("the host failed: {error}"),
        Ok(_) => panic!("it is a game"),
    }
}
