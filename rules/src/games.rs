//! The list of games. Only this file names them all: a game is one entry of [`games!`], besides those that are loaded at run time.

use crate::{Game, Listed, Reason, Rules, RulesError, ScoreRange, Size, loaded};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// Makes the enums of games and of their rules, and the macro for dispatch. The first token, `$`, stands for itself in
/// that macro.
macro_rules! games {
    ($d:tt $($(#[$doc:meta])+ $module:ident::$Game:ident, $name:literal;)+) => {
        $(use crate::$module::$Game;)+

        /// A game: what a bot is written for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum GameKind {
            $($(#[$doc])+ #[serde(rename = $name)] $Game,)+
            /// All games whose code is loaded at run time.
            #[serde(rename = "loaded")] Loaded,
        }

        /// The rules of one of the games.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(tag = "game")]
        pub enum GameRules {
            $($(#[$doc])+ #[serde(rename = $name)] $Game(<$Game as Game>::Rules),)+
            /// A game whose code is loaded at run time.
            #[serde(rename = "loaded")] Loaded(loaded::Rules),
        }

        impl GameKind {
            /// All games that are built in.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$Game),+];

            /// The name, as in the package of the game's contract.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Game => $name,)+
                    Self::Loaded => "loaded",
                }
            }

            /// The game in a sentence: its name, or that it is a component.
            pub const fn in_words(self) -> &'static str {
                match self {
                    Self::Loaded => "a game that is a component",
                    built_in => built_in.name(),
                }
            }
        }

        /// Evaluates an expression with a type alias for the state of the game of some [`GameKind`]. It leads from a
        /// game that is known only at run time to code that is generic over [`Game`].
        ///
        /// ```
        /// use arena_rules::{GameRules, Listed, with_game};
        ///
        /// fn fuel_told<G: Listed>(rules: &GameRules) -> String {
        ///     format!("{:?}", G::info(G::rules(rules).unwrap(), 1_000, 7))
        /// }
        ///
        /// let rules = GameRules::named("classic").unwrap();
        /// let info = with_game!(rules.kind(), G => fuel_told::<G>(&rules));
        /// assert!(info.contains("1000"));
        /// ```
        #[macro_export]
        macro_rules! with_game {
            ($d kind:expr, $d G:ident => $d body:expr) => {
                match $d kind {
                    $($crate::GameKind::$Game => {
                        type $d G = $crate::$module::$Game;
                        $d body
                    })+
                    $crate::GameKind::Loaded => {
                        type $d G = $crate::loaded::Loaded;
                        $d body
                    }
                }
            };
        }

        impl GameRules {
            /// The built-in rules of all games. The first of a game are its default.
            pub fn built_in() -> Vec<Self> {
                let mut all = Vec::new();
                $(all.extend($Game::built_in().into_iter().map(Self::$Game));)+
                all
            }

            /// The game.
            pub const fn kind(&self) -> GameKind {
                match self {
                    $(Self::$Game(_) => GameKind::$Game,)+
                    Self::Loaded(_) => GameKind::Loaded,
                }
            }

            fn rules(&self) -> &dyn Rules {
                match self {
                    $(Self::$Game(rules) => rules,)+
                    Self::Loaded(rules) => rules,
                }
            }

            /// The same rules with another name to show.
            pub fn renamed(mut self, name: String) -> Self {
                match &mut self {
                    $(Self::$Game(rules) => rules.rename(name),)+
                    Self::Loaded(rules) => rules.rename(name),
                }
                self
            }

            /// The same rules on another board, with caps in proportion; `None` when the game has one size of board
            /// only.
            pub fn resized(&self, size: Size) -> Option<Self> {
                match self {
                    $(Self::$Game(rules) => $Game::resized(rules, size).map(Self::$Game),)+
                    Self::Loaded(_) => None,
                }
            }
        }
    };
}

games! { $
    /// The Battleship family: ships that lie still.
    battleship::Battleship, "battleship";
    /// Submarine: ships that move and shoot from where they are.
    submarine::Submarine, "submarine";
}

impl fmt::Display for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl GameRules {
    /// Built-in rules by their name.
    pub fn named(name: &str) -> Option<Self> {
        Self::built_in().into_iter().find(|rules| rules.name() == name)
    }

    /// The rules of a game if nothing else is asked for; `None` for a loaded one, whose rules come with it.
    pub fn default_of(kind: GameKind) -> Option<Self> {
        Self::built_in().into_iter().find(|rules| rules.kind() == kind)
    }

    /// The reasons of the game's own for which it can end.
    pub fn reasons(&self) -> Cow<'_, [Reason]> {
        self.rules().reasons()
    }

    /// The name to show.
    pub fn name(&self) -> &str {
        self.rules().name()
    }

    /// The name of the game: for a loaded one, its own.
    pub fn game(&self) -> &str {
        self.rules().game()
    }

    /// The size of the board, or of each board; `None` for a game without one of a fixed size.
    pub fn size(&self) -> Option<Size> {
        self.rules().size()
    }

    /// The size after the name in a sentence, ` on 10×10`; empty without one.
    pub fn on_board(&self) -> String {
        self.size().map_or_else(String::new, |size| format!(" on {size}"))
    }

    /// The budget of a turn, and of a deployment, in milliseconds of the reference machine.
    pub fn turn_budget_ms(&self) -> u32 {
        self.rules().turn_budget_ms()
    }

    /// True if the seat that moves first is drawn from the seed.
    pub fn starter_is_drawn(&self) -> bool {
        self.rules().starter_is_drawn()
    }

    /// The range of the scores; `None` in a game without scores.
    pub fn score_range(&self) -> Option<ScoreRange> {
        self.rules().score_range()
    }

    /// The switches with a comment for each, in the order of a rules file.
    pub fn comments(&self) -> Vec<(Cow<'static, str>, Cow<'static, str>)> {
        self.rules().comments()
    }

    /// Checks that a game can be played by these rules.
    ///
    /// # Errors
    /// The first switch that is wrong.
    pub fn validate(&self) -> Result<(), RulesError> {
        self.rules().validate()
    }
}
