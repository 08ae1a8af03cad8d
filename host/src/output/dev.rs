//! The verdict of `arena dev` on a build.

use super::compare::{Difference, mean_cells};
use super::solo::SoloOutput;
use arena_experiments::boards::BoardResult;
use arena_experiments::finding::{Finding, Trial};
use arena_experiments::rerun::AskedTurn;
use arena_league::Interval;
use arena_players::{Contestant, Plan};
use arena_record::Name;
use arena_text::{Text, counted, grouped};

/// The largest number of turns with another decision that are shown. Chosen: the first one, with its boards, is the most useful.
const TURNS_SHOWN_MAX: usize = 5;

/// A build that was measured.
#[derive(Clone, Copy, Debug)]
pub struct DevOutput<'a> {
    /// The number of the round.
    pub number: u32,
    /// The bot.
    pub contestant: &'a Contestant,
    /// The rules and the seed.
    pub plan: &'a Plan,
    /// Its trial games.
    pub trial: Trial<'a>,
    /// The boards that it cleared alone.
    pub boards: &'a [BoardResult],
    /// The build that it is compared with.
    pub kept: Option<KeptBuild<'a>>,
}

/// The build that another one is compared with.
#[derive(Clone, Copy, Debug)]
pub struct KeptBuild<'a> {
    /// True if it is the same component.
    pub is_same: bool,
    /// Its results on the same boards.
    pub boards: &'a [BoardResult],
    /// The decisions of the new build at the turns of a trial game of the kept one.
    pub asked: &'a [AskedTurn],
    /// The boards before the first turn with another decision.
    pub view: Option<&'a str>,
}

impl DevOutput<'_> {
    /// The text for a reader. The verdict is its last line, so that a small terminal shows it.
    pub fn text(&self, finding: &Finding<'_>) -> Text {
        let mut lines = match self.trial.has_faults() {
            true => vec![finding.text().as_str().to_owned()],
            false => {
                let drawings = self.trial.drawings();
                let drawings = drawings.map(|text| format!("  drawing  {}", text.replace('\n', "\n  ")));
                std::iter::once(format!("  check    {}", self.check())).chain(drawings).collect()
            }
        };
        lines.extend(SoloOutput::new(self.contestant, self.plan, self.boards).failures());
        lines.extend(self.kept.iter().flat_map(KeptBuild::lines));
        lines.push(format!("build {}: {}", self.number, self.verdict()));
        lines.join("\n").into()
    }

    fn verdict(&self) -> String {
        let solo = SoloOutput::new(self.contestant, self.plan, self.boards);
        let [mean, error] = mean_cells(&solo);
        let boards = counted(self.boards.len(), "board");
        let figures = match solo.shots.len() {
            0 => format!("none of {boards} cleared"),
            cleared if cleared == self.boards.len() as u64 => format!("{mean} ± {error} shots on {boards}"),
            cleared => format!("{mean} ± {error} shots on {cleared} of {boards}"),
        };
        match self.kept {
            None => figures,
            Some(kept) if kept.is_same => format!("{figures}, the same component as the kept build"),
            Some(kept) => {
                let difference = Difference::between(kept.boards, self.boards);
                format!("{figures}, {}", compared(difference))
            }
        }
    }

    fn check(&self) -> String {
        let games = counted(self.trial.games.len(), "trial game");
        let rules = Name::new(self.plan.conditions.rules.name());
        let most = self.trial.games.iter().filter_map(|game| game.fuel_of_turns.last()).max();
        let budget = self.plan.conditions.limits.fuel_per_turn;
        let fuel = most.map_or(String::new(), |&most| {
            let percent = 100.0 * most as f64 / budget.max(1) as f64;
            format!("; fuel of a turn: at most {}, {percent:.1} % of the budget", grouped(most))
        });
        format!("no fault in {games} under the `{rules}` rules{fuel}")
    }
}

/// The difference from the kept build, in words.
fn compared(difference: Difference) -> String {
    let Some(Interval { value, error }) = difference.mean else {
        return "too few boards to compare it with the kept build".into();
    };
    let verdict = match () {
        () if value + error < 0.0 => "better",
        () if value - error > 0.0 => "worse",
        () => "no difference shown",
    };
    let boards = counted(difference.boards, "common board");
    format!("{value:+.2} ± {error:.2} against the kept build on {boards}: {verdict}")
}

impl KeptBuild<'_> {
    /// The turns in which the new build decides differently.
    fn lines(&self) -> Vec<String> {
        let all = counted(self.asked.len(), "decision");
        let Some(first) = first_difference(self.asked) else {
            return if self.asked.is_empty() || self.is_same {
                Vec::new()
            } else {
                vec![format!("  differs  in none of {all} of the kept build's trial game")]
            };
        };
        let others: Vec<&AskedTurn> =
            self.asked.iter().filter(|asked| asked.differs && asked.turn != first.turn).collect();
        let mut lines = vec![format!(
            "  differs  in {} of {all} of the kept build's trial game, first in {}",
            1 + others.len(),
            text_of(first)
        )];
        if let Some(view) = self.view {
            lines.extend([String::new(), view.to_owned(), String::new()]);
        }
        lines.extend(
            others.iter().take(TURNS_SHOWN_MAX - 1).map(|asked| format!("  and in   {}", text_of(asked))),
        );
        if others.len() >= TURNS_SHOWN_MAX {
            lines.push(format!("  and in   {}", counted(others.len() + 1 - TURNS_SHOWN_MAX, "more turn")));
        }
        lines
    }
}

/// The first turn with another decision. The deployment is chosen only if no turn differs: it says less, and has no boards to show.
pub fn first_difference(asked: &[AskedTurn]) -> Option<&AskedTurn> {
    let mut differing = asked.iter().filter(|asked| asked.differs);
    differing.clone().find(|asked| asked.turn > 0).or_else(|| differing.next())
}

/// A turn with both decisions, as text.
fn text_of(asked: &AskedTurn) -> String {
    let AskedTurn { turn, recorded, now, .. } = asked;
    format!("{}: {} then, {} now", arena_record::moment(*turn), recorded.text, now.text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_experiments::rerun::TurnDecision;

    fn asked(turn: u32, differs: bool) -> AskedTurn {
        let of = |text: &str| TurnDecision { text: text.into(), fuel: None };
        AskedTurn { turn, event: 0, recorded: of("A1"), now: of("B2"), differs, printed: Vec::new() }
    }

    /// The lines about these decisions.
    fn lines(asked: &[AskedTurn], is_same: bool) -> Vec<String> {
        KeptBuild { is_same, boards: &[], asked, view: Some("the boards") }.lines()
    }

    #[test]
    fn the_first_turn_that_differs_is_shown_with_its_boards_and_four_more_at_most() {
        let differing = |turns: std::ops::RangeInclusive<u32>| turns.map(|turn| asked(turn, true));
        let first =
            "  differs  in 1 of 2 decisions of the kept build's trial game, first in turn 1: A1 then, B2 now";
        let boards = ["", "the boards", ""];
        assert_eq!(lines(&[asked(1, true), asked(2, false)], false), [&[first][..], &boards].concat());
        for (turns, last) in [(5, "  and in   turn 5: A1 then, B2 now"), (6, "  and in   1 more turn")] {
            let lines = lines(&differing(1..=turns).collect::<Vec<_>>(), false);
            assert_eq!((lines.len(), lines.last().map(String::as_str)), (3 + turns as usize, Some(last)));
        }
        // The deployment has no boards.
        assert_eq!(first_difference(&[asked(0, true), asked(3, true)]).map(|it| it.turn), Some(3));
        assert_eq!(first_difference(&[asked(0, true), asked(3, false)]).map(|it| it.turn), Some(0));
        assert!(lines(&[asked(0, true), asked(3, true)], false)[0].contains("in 2 of 2 decisions"));
    }

    #[test]
    fn a_build_that_decides_as_the_kept_one_says_so_unless_it_is_the_same_component() {
        let same = ["  differs  in none of 1 decision of the kept build's trial game"];
        assert_eq!(lines(&[asked(1, false)], false), same);
        assert!(lines(&[asked(1, false)], true).is_empty());
        assert!(lines(&[], false).is_empty());
    }

    #[track_caller]
    fn check(value: f64, error: f64, verdict: &str) {
        let text = compared(Difference { boards: 9, mean: Some(Interval { value, error }) });
        assert_eq!(text.rsplit(": ").next(), Some(verdict), "{text}");
    }

    #[test]
    fn a_build_is_better_or_worse_only_if_the_whole_interval_is_on_that_side() {
        check(-2.0, 1.0, "better");
        check(-2.0, 1.99, "better");
        check(-2.0, 2.0, "no difference shown");
        check(-1.0, 2.0, "no difference shown");
        check(0.0, 0.0, "no difference shown");
        check(1.0, 2.0, "no difference shown");
        check(2.0, 2.0, "no difference shown");
        check(2.0, 1.99, "worse");
        check(2.0, 1.0, "worse");
    }
}
