//! The parts of the engine that the crates of this workspace share: the command line, the pages, the club and the workers. A program that
//! embeds the engine needs none of them.

/// Seasons that are played again, to compare their heads.
pub mod again {
    pub use crate::again::{AgainDifference, AgainOptions, PlayedAgain, SeasonAgain};
}

/// The archive of finished games.
pub mod archive {
    pub use crate::archive::Archive;
}

/// Bots that are part of the program.
pub mod builtin {
    pub use crate::builtin::{component, in_any_game, in_game, paths, read};
}

/// Folders with the faults of bots.
pub mod faults {
    pub use crate::faults::{Faults, recorded_calls};
}

/// Games whose code is in a file.
pub mod game_file {
    pub use crate::game_file::check_settings;
}

/// Components that are kept next to a journal.
pub mod kept_bots {
    pub use crate::kept_bots::{DELETED, KeptBots};
}

/// Facts about games that a journal has.
pub mod kept_games {
    pub use crate::kept_games::StageEnd;
}

/// Bots by their labels.
pub mod labels {
    pub use crate::labels::find;
}

/// The logs of bots in folders.
pub mod logs {
    pub use crate::logs::{LoggedGame, Logs};
}

/// Seasons that are kept from one stage to the next.
pub mod open_season {
    pub use crate::open_season::OpenSeason;
}

/// The rules and the plan that options ask for.
pub mod plan {
    pub use crate::plan::{check_game, plan, rules_asked, rules_asked_or};
}

/// Columns of the standings.
pub mod ranking {
    pub use crate::ranking::{OrderBy, has_left, is_disqualified, known, tenths};
}

/// Recorded games in files, folders and journals.
pub mod recordings {
    pub use crate::recordings::{
        NamedRecording, Purpose, Recordings, SampleOptions, check_kept, game, memory_bytes, of_file,
        of_journal, unreadable,
    };
}

/// Paths of components.
pub mod roster {
    pub use crate::roster::{LABEL_CHARS_MAX, check_path};
}

/// Rules in files.
pub mod rules_file {
    pub use crate::rules_file::{load, write};
}

/// The bots and the stages of a season.
pub mod season {
    pub use crate::season::Season;
}

/// The watchers of the games of a run.
pub mod run {
    pub use crate::run::Watch;
}

/// Seeds and their secrets.
pub mod seed {
    pub use crate::seed::{commit, fresh_bytes, fresh_number, given_or_fresh, secret_of};
}

/// Journals that are read, and the failures to read them.
pub mod stored {
    pub use crate::stored::{At, failure, failure_to_read, log_note};
}

/// Stages and scores.
pub mod tournament {
    pub use crate::tournament::{Stage, score};
}
