use crate::contest::Contest;
use crate::games::rock_paper_scissors::types::Choice::{Paper, Rock, Scissors};

#[test]
fn each_choice_beats_one_other_and_is_beaten_by_one() {
    for (mine, theirs, lead) in [
        (Rock, Scissors, 1),
        (Scissors, Paper, 1),
        (Paper, Rock, 1),
        (Scissors, Rock, -1),
        (Paper, Scissors, -1),
        (Rock, Paper, -1),
        (Rock, Rock, 0),
    ] {
        let mut contest = Contest::new(1, 0);
        assert_eq!(contest.choose(mine), None);
        assert_eq!(contest.choose(theirs), Some([mine, theirs]));
        assert_eq!((contest.lead(0), contest.lead(1), contest.is_over()), (lead, -lead, true));
    }
}

#[test]
fn rounds_are_counted_and_choices_belong_to_players_whoever_is_first() {
    let mut contest = Contest::new(2, 1);
    for choice in [Paper, Rock, Rock, Rock] {
        assert!(!contest.is_over());
        contest.choose(choice);
    }
    assert_eq!(contest.rounds, [[Rock, Paper], [Rock, Rock]]);
    assert!(contest.is_over() && contest.lead(1) == 1);
}
