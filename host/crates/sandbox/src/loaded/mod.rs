//! Games that are components, and bots for them. Their types are known only when they are loaded, so their functions are called by
//! name, with values of any type.
//!
//! This module knows their shape and not their meaning: what a function is for is the matter of its caller.

mod instance;

pub use instance::Instance;

use crate::bot::Bot;
use crate::compile::CompileTime;
use crate::refusal::{Refusal, RefusalKind};
use crate::scan::Figure;
use crate::values::{self, Interface};
use arena_referee::HostError;

/// A game or a bot for one, which has been checked and compiled. No code of it has run. It is cheap to clone.
#[derive(Clone, Debug)]
pub struct Component(pub(crate) Bot);

impl Component {
    /// The sha256 of its file, in hexadecimal: its identity.
    pub fn hash(&self) -> &str {
        self.0.hash()
    }

    /// The size of its file.
    pub fn size_bytes(&self) -> usize {
        self.0.size_bytes()
    }

    /// Its imports, sorted.
    pub fn imports(&self) -> &[String] {
        self.0.imports()
    }

    /// The contract that its exports name: `arena:game@0.1.0`, or `arena:game/bot@0.1.0`.
    pub fn contract(&self) -> String {
        self.0.contract()
    }

    /// True if it is a game, false if it is a bot for one.
    pub fn is_game(&self) -> bool {
        self.0.is_game()
    }

    /// True for a bot for all games: it leaves the choice of an action to the game.
    pub fn plays_all(&self) -> bool {
        self.0.leaves_the_choice()
    }

    /// The amounts of its parts, with their limits.
    pub fn figures(&self) -> Vec<Figure> {
        self.0.figures()
    }

    /// The processor time that compiling it took, and its allowance, as of [`Bot::compile_time`].
    pub fn compile_time(&self) -> Option<CompileTime> {
        self.0.compile_time()
    }

    /// Its interfaces: those that it exports, with their functions, and those from which it imports types.
    ///
    /// # Errors
    /// Its types are too large, as a refusal. The code has to be in this process.
    pub fn interfaces(&self) -> Result<Result<Vec<Interface>, Refusal>, HostError> {
        let program = self.0.program()?;
        Ok(values::read(program.instance_pre().component(), program.engine()).ok_or_else(|| {
            Refusal::new(
                RefusalKind::OverLimits,
                format!("its types have more than {} parts in total", values::PARTS_MAX),
                "use smaller types: a list instead of many fields",
            )
        }))
    }

    /// A fresh instance, made at its first call, out of that call's fuel. Its WASI random numbers come from the seed.
    ///
    /// # Errors
    /// The code is not in this process.
    pub fn start(&self, seed: u64) -> Result<Instance, HostError> {
        Ok(Instance::new(self.0.program()?, seed))
    }
}
