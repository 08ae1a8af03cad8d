//! The kinds of work that a child does.

/// The work that a child does with its input, and the kind of its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// Judging a component. The input begins with compiled functions of this length in bytes, which may be 0.
    Judge { functions_bytes: usize },
    /// Making the skeleton of a component.
    Skeleton,
    /// Compiling the functions of a skeleton, one by one, to be kept.
    Functions,
    /// Compiling the specimen that shows the slowdown of the machine.
    Slowdown,
}

impl Work {
    /// The work as arguments of the child.
    pub(super) fn to_args(self) -> [String; 2] {
        let (word, functions_bytes) = match self {
            Self::Judge { functions_bytes } => ("judge", functions_bytes),
            Self::Skeleton => ("skeleton", 0),
            Self::Functions => ("functions", 0),
            Self::Slowdown => ("slowdown", 0),
        };
        [word.to_owned(), functions_bytes.to_string()]
    }

    /// Reads work from arguments, as [`words`](Self::words) returns them.
    pub(super) fn read(child_args: &[String]) -> Option<Self> {
        let [word, functions_bytes] = child_args else { return None };
        match (word.as_str(), functions_bytes.parse().ok()?) {
            ("judge", functions_bytes) => Some(Self::Judge { functions_bytes }),
            ("skeleton", 0) => Some(Self::Skeleton),
            ("functions", 0) => Some(Self::Functions),
            ("slowdown", 0) => Some(Self::Slowdown),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_read_from_its_own_words_only() {
        for work in [Work::Judge { functions_bytes: 7 }, Work::Skeleton, Work::Functions, Work::Slowdown] {
            assert_eq!(Work::read(&work.to_args()), Some(work));
        }
        for child_args in
            [vec!["judge"], vec!["play", "0"], vec!["judge", "-1"], vec!["skeleton", "1"], vec![]]
        {
            let child_args: Vec<String> = child_args.into_iter().map(str::to_owned).collect();
            assert_eq!(Work::read(&child_args), None, "{child_args:?}");
        }
    }
}
