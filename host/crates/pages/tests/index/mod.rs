//! The index by which a site continues from the one before.

use super::{Battleship, Contest, PANIC, contest};
use arena_pages::{Facts, Index, KeptReplay, Sums, facts};

#[test]
fn an_index_comes_back_from_its_bytes_and_from_no_others() {
    let (contest, transcript) = contest::<Battleship>(PANIC, "x");
    let mut facts_of_all = Facts::new(&contest);
    facts_of_all.add(&contest, 0, facts(&transcript).unwrap());
    let replays = [(1, KeptReplay { key: [1; 32], pages: [[2; 32], [3; 32]] })].into();
    let sums = Some(Sums { games: 1, key: [5; 32], facts: facts_of_all });
    let bytes = Index { program: [7; 32], sums, replays }.to_bytes();
    let read = |bytes: &[u8]| Index::read(bytes, &[7; 32]);
    assert_eq!(read(&bytes).unwrap().to_bytes(), bytes);
    assert!(Index::read(&bytes, &[8; 32]).is_none());
    for place in 0..bytes.len() {
        let mut other = bytes.clone();
        other[place] ^= 1;
        assert!(read(&other).is_none() && read(&bytes[..place]).is_none(), "{place}");
    }
    assert!(read(&[&bytes[..], &[0]].concat()).is_none());
}

#[test]
fn sums_are_taken_only_for_the_games_that_they_can_be_of() {
    let (contest, transcript) = contest::<Battleship>(PANIC, "x");
    let mut facts_of_all = Facts::new(&contest);
    facts_of_all.add(&contest, 0, facts(&transcript).unwrap());
    let sums = Sums { games: 1, key: [5; 32], facts: facts_of_all };
    let taken = |contest: &Contest, sums: &Sums, key: u8| {
        sums.clone().of(contest, |_| Some([key; 32])).map(|(games, _)| games)
    };
    assert_eq!(taken(&contest, &sums, 5), Some(1));
    assert_eq!(taken(&contest, &sums, 6), None);
    assert_eq!(sums.clone().of(&contest, |_| None).map(|(games, _)| games), None);
    // With the right key, too: an index is a file, and must not make the program fail.
    let mut more_bots = contest.clone();
    more_bots.bots.push(contest.bots[0].clone());
    assert_eq!(taken(&more_bots, &sums, 5), Some(1));
    let mut fewer_bots = contest.clone();
    fewer_bots.bots.pop();
    let mut no_games = contest.clone();
    no_games.games.clear();
    let mut other_seats = contest.clone();
    other_seats.games[0].seats = [1, 0];
    for other in [fewer_bots, no_games, other_seats] {
        assert_eq!(taken(&other, &sums, 5), None);
    }
    assert_eq!(taken(&contest, &Sums { games: 0, ..sums }, 5), None, "there is a fault of no game");
}
