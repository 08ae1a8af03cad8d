//! Templates for bots of a game that is a component: the contract that was read out of it, and code that draws any value of its actions'
//! type.
//!
//! The code is made of names that the game's author chose. They are identifiers of WIT, which the contract has checked, and become those
//! of the language as its generator of bindings has them.

mod c;
mod go;
mod javascript;
mod python;
mod rust;

use crate::Language;
use crate::template::File;
use arena_rules::loaded::{About, BotContract, Part};

/// A game that is a component, for the templates of its bots.
#[derive(Clone, Debug)]
pub struct LoadedGame {
    /// The facts about it.
    pub about: About,
    /// Its contract with its bots, which has been checked.
    pub contract: BotContract,
}

impl LoadedGame {
    /// The reason why the language's generator of bindings cannot write code for the game, if there is one.
    pub fn unsuited(&self, language: Language) -> Option<String> {
        match language {
            Language::Rust => rust::unsuited(&self.contract).map(|name| {
                format!(
                    "the game has the name `{name}`, for which wit-bindgen writes code that is not {language}"
                )
            }),
            Language::C => c::files(&self.contract, &self.wit()).err().map(|error| error.to_string()),
            Language::Go => go::unsuited(&self.contract).map(str::to_owned),
            _ => None,
        }
    }

    /// The contract as a document.
    fn wit(&self) -> String {
        self.contract.wit(&self.about)
    }

    /// The files that are made of the game's contract, for bots in a language.
    pub(crate) fn files(&self, language: Language) -> Vec<File> {
        let mut files = vec![File::text("wit/bot.wit", self.wit())];
        files.extend(match language {
            Language::Rust => rust::files(&self.contract),
            Language::JavaScript => javascript::files(&self.contract),
            Language::C => c::files(&self.contract, &self.wit()).expect("`unsuited` is asked before"),
            Language::Go => go::files(&self.contract),
            _ => python::files(&self.contract),
        });
        files
    }

    /// The texts of a template in a language that stand for names of the game, each with what it becomes.
    pub(crate) fn names(&self, language: Language) -> Vec<(&'static str, String)> {
        match language {
            Language::Go => go::names(&self.contract),
            _ => rust::names(&self.contract),
        }
    }
}

/// The indices of the types that an action is made of, each after its parts.
fn types_of_action(contract: &BotContract) -> Vec<usize> {
    types_of(contract, contract.action)
}

/// The indices of a type and of those that it is made of, each after its parts.
fn types_of(contract: &BotContract, whole: usize) -> Vec<usize> {
    let mut is_needed = vec![false; contract.types.len()];
    is_needed[whole] = true;
    // Parts come before what they are a part of.
    for index in (0..=whole).rev() {
        if !is_needed[index] {
            continue;
        }
        let mut waiting = contract.types[index].definition.parts();
        while let Some(part) = waiting.pop() {
            if let Part::Named(other) = part {
                is_needed[*other] = true;
            }
            waiting.extend(part.parts());
        }
    }
    (0..is_needed.len()).filter(|&index| is_needed[index]).collect()
}
