//! Games in `tests/wire`, byte for byte, as both clients see them.
//!
//! `1< TEXT` is a line that the first client gets, `1> TEXT` is one that it sends, and `1 leaves` closes its connection; lines
//! of the second client begin with 2. After the last line the server closes. `#` begins a remark.

use crate::support::{Served, Socket, options, patient};
use std::fs;
use std::path::{Path, PathBuf};

fn transcripts() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/wire");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn follow(path: &Path, sockets: [Socket; 2]) {
    let text = fs::read_to_string(path).unwrap();
    let mut sockets = sockets.map(Some);
    for (index, line) in text.lines().enumerate() {
        let place = format!("{}:{}", path.display(), index + 1);
        if line.starts_with('#') {
            continue;
        }
        let seat = if line.starts_with('1') { 0 } else { 1 };
        let client = sockets[seat].as_mut().expect(&place);
        match line[1..].split_at(1) {
            ("<", expected) => assert_eq!(client.line().as_deref(), Some(&expected[1..]), "{place}"),
            (">", said) => client.says(&said[1..]),
            (" ", "leaves") => sockets[seat] = None,
            _ => panic!("{place} is not a line of a transcript"),
        }
    }
    for client in sockets.iter_mut().flatten() {
        assert_eq!(client.line(), None, "nothing should follow in {}", path.display());
    }
}

#[test]
fn every_transcript_is_played_byte_for_byte() {
    let served = Served::start(options(patient()));
    let transcripts = transcripts();
    assert!(transcripts.len() >= 20, "{} transcripts", transcripts.len());
    for path in &transcripts {
        follow(path, [served.connect(), served.connect()]);
        assert!(served.game().outcome.is_ok(), "{}", path.display());
    }
    let tally = served.stop();
    assert_eq!((tally.games, tally.no_contest, tally.failed), (transcripts.len() as u64 + 1, 1, 0));
}

#[test]
fn the_example_of_the_protocol_is_in_a_transcript() {
    let example = concat!(
        r#"{"result":{"attacked":{"position":[1,1],"hit":"w","near":["c","s"]}},"#,
        r#""condition":{"me":{"w":{"hp":3,"position":[0,0]},"c":{"hp":2,"position":[0,1]},"s":{"hp":1,"position":[1,0]}},"#,
        r#""enemy":{"w":{"hp":2},"c":{"hp":2},"s":{"hp":1}}}}"#
    );
    let found = transcripts().iter().any(|path| fs::read_to_string(path).unwrap().contains(example));
    assert!(found);
}
